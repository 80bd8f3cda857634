#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# ctf-trace.py DIRECTORY EVENTS BASE SIZE PATH ADDRESS-FILE [late|BUILD-ID]: a CTF trace as
# LTTng-UST writes them: two streams with contexts vpid, ip and vtid, compact
# headers, a state dump of one object, and EVENTS events whose addresses are
# those in ADDRESS-FILE (offsets in the object, hexadecimal), in turn. With `late`
# the state dump comes after all events; a BUILD-ID (hexadecimal) is told in it.
import itertools
import os
import struct
import sys

METADATA = """/* CTF 1.8 */
typealias integer { size = 8; align = 8; signed = false; } := uint8_t;
typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
typealias integer { size = 64; align = 8; signed = false; } := uint64_t;
typealias integer { size = 64; align = 8; signed = false; base = hex; } := xint64_t;
typealias integer { size = 32; align = 8; signed = true; } := int32_t;
trace {
	major = 1; minor = 8; byte_order = le;
	packet.header := struct { uint32_t magic; uint32_t stream_id; };
};
env { hostname = "bench"; domain = "ust"; tracer_name = "lttng-ust"; };
clock { name = "monotonic"; freq = 1000000000; offset = 1700000000000000000; };
typealias integer { size = 27; align = 1; signed = false; map = clock.monotonic.value; }
	:= uint27_clock_monotonic_t;
typealias integer { size = 64; align = 8; signed = false; map = clock.monotonic.value; }
	:= uint64_clock_monotonic_t;
struct event_header_compact {
	enum : integer { size = 5; align = 1; signed = false; } { compact = 0 ... 30, extended = 31 } id;
	variant <id> {
		struct { uint27_clock_monotonic_t timestamp; } compact;
		struct { uint32_t id; uint64_clock_monotonic_t timestamp; } extended;
	} v;
} align(8);
stream {
	id = 0;
	packet.context := struct {
		uint64_clock_monotonic_t timestamp_begin; uint64_clock_monotonic_t timestamp_end;
		uint64_t content_size; uint64_t packet_size; uint64_t packet_seq_num;
		uint64_t events_discarded; uint32_t cpu_id;
	};
	event.header := struct event_header_compact;
	event.context := struct { int32_t _vpid; xint64_t _ip; int32_t _vtid; };
};
event { name = "lttng_ust_statedump:start"; id = 0; stream_id = 0; fields := struct { }; };
event {
	name = "lttng_ust_statedump:bin_info"; id = 1; stream_id = 0;
	fields := struct { xint64_t _baddr; uint64_t _memsz; string _path; uint8_t _is_pic;
		uint8_t _has_build_id; uint8_t _has_debug_link; };
};
event {
	name = "lttng_ust_statedump:build_id"; id = 4; stream_id = 0;
	fields := struct { xint64_t _baddr; uint64_t __build_id_length;
		uint8_t _build_id[__build_id_length]; };
};
event { name = "lttng_ust_statedump:end"; id = 2; stream_id = 0; fields := struct { }; };
event {
	name = "bench:event"; id = 3; stream_id = 0;
	fields := struct { int32_t _number; xint64_t _pointer; string _text; };
};
"""

PACKET_CONTEXT = struct.Struct('<IIQQQQQQI')
HEADER = struct.Struct('<IiQi')
EVENTS_PER_PACKET = 4000


def header(event_id, time, ip, thread):
    return HEADER.pack(event_id | (time & 0x7FFFFFF) << 5, 100, ip, thread)


def write_packet(stream, sequence, cpu, begin, end, events):
    content = PACKET_CONTEXT.size + len(events)
    size = (content + 4095) & ~4095
    stream.write(
        PACKET_CONTEXT.pack(0xC1FC1FC1, 0, begin, end, content * 8, size * 8, sequence, 0, cpu)
    )
    stream.write(events)
    stream.write(bytes(size - content))


def state_dump(time, base, size, path, build_id=b''):
    info = struct.pack('<QQ', base, size) + path.encode() + b'\0' + bytes([1, len(build_id) > 0, 0])
    if build_id:
        info += header(4, time + 2, 0, 100) + struct.pack('<QQ', base, len(build_id)) + build_id
    return (
        header(0, time + 1, 0, 100)
        + header(1, time + 2, 0, 100)
        + info
        + header(2, time + 3, 0, 100)
    )


def main():
    directory, count, base, size, path, address_file = sys.argv[1:7]
    count, base, size = int(count), int(base, 0), int(size, 0)
    is_late = sys.argv[7:] == ['late']
    build_id = bytes.fromhex('' if is_late else ''.join(sys.argv[7:]))
    os.makedirs(directory)
    with open(os.path.join(directory, 'metadata'), 'w', encoding='ascii') as stream:
        stream.write(METADATA)
    with open(address_file, encoding='ascii') as stream:
        addresses = [base + int(line, 16) for line in stream]
    ips = itertools.cycle(addresses)
    payload = struct.Struct('<iQ')
    for cpu in range(2):
        with open(os.path.join(directory, f'channel_{cpu}'), 'wb') as stream:
            time = 10 + cpu
            rest = count // 2
            sequence = 0
            if cpu == 0 and not is_late:
                write_packet(stream, 0, 0, 0, 5, state_dump(0, base, size, path, build_id))
                sequence = 1
            while rest > 0:
                begin = time
                events = bytearray()
                for number in range(min(rest, EVENTS_PER_PACKET)):
                    time += 1000
                    events += header(3, time, next(ips), 100 + cpu)
                    events += payload.pack(number, time)
                    events += b'some text\0'
                write_packet(stream, sequence, cpu, begin, time, events)
                sequence += 1
                rest -= EVENTS_PER_PACKET
            if cpu == 0 and is_late:
                dump = state_dump(time, base, size, path)
                write_packet(stream, sequence, 0, time, time + 5, dump)


main()
