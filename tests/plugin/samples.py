# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# Scenarios with events of provider codectl, made by hand.
import random
import struct

from codectl_events import CodectlClasses

VPID = 100
START = 1000
SP = 0x7FFF00001000
REG_COUNT = 17
RSP, PC = 7, 16


class _OneStream:
    """A trace with one stream, of which a subclass fills in the events."""

    kinds = {}
    only = None

    def __init__(self, component, options):
        self._options = options
        self._clock_class = component._create_clock_class(frequency=1000000000)
        self._trace_class = component._create_trace_class()
        self._stream_class = self._trace_class.create_stream_class(
            default_clock_class=self._clock_class,
            supports_packets=True,
            packets_have_beginning_default_clock_snapshot=True,
            packets_have_end_default_clock_snapshot=True,
        )
        self._classes = CodectlClasses(
            self._trace_class, self._stream_class, self.only, self.kinds
        )
        self._stream = self._trace_class().create_stream(self._stream_class)

    def messages(self, iterator):
        packet = self._stream.create_packet()
        yield iterator._create_stream_beginning_message(self._stream)
        yield iterator._create_packet_beginning_message(packet, 5000)
        time = 5000
        for time, (name, values) in enumerate(self._events(), time):
            values = {'vpid': VPID, 'start_time': START, 'timestamp': time, **values}
            yield self._classes.message(iterator, packet, time, name, **values)
        yield iterator._create_packet_end_message(packet, time)
        yield iterator._create_stream_end_message(self._stream)

    def _events(self):
        raise NotImplementedError


def register(serial, start, end, path, **values):
    return 'codectl:register_elf', {
        'serial': serial,
        'elf_start': start,
        'elf_end': end,
        'text_start': start,
        'text_end': end,
        'pathname': path,
        **values,
    }


def unregister(serial, registered_serial, start, end):
    return 'codectl:unregister', {
        'serial': serial,
        'registered_serial': registered_serial,
        'text_start': start,
        'text_end': end,
    }


def sample(pc, words=(), serial=0, **values):
    """A sample at `pc`; `words` are the stack, all of them captured."""
    regs = [0] * REG_COUNT
    regs[RSP] = SP
    regs[PC] = pc
    map_len = (len(words) + 63) // 64
    return 'codectl:sample', {
        'vtid': VPID,
        'weight': 1,
        'serial': serial,
        'regs': regs,
        'stack_start': SP,
        'stack_len': len(words) * 8,
        'stack_map': [
            (1 << min(64, len(words) - 64 * i)) - 1 for i in range(map_len)
        ],
        'stack': list(words),
        **values,
    }


class Stack(_OneStream):
    """One sample in the fixture; the options say where its code is."""

    def _events(self):
        option = self._options
        base = int(option['base'])
        yield register(
            1,
            base,
            base + int(option['size']),
            str(option['path']),
            build_id=bytes.fromhex(str(option['build-id'])),
        )
        words = [int(option['middle-return']), 1, 2, 3, int(option['outermost-return'])]
        yield sample(int(option['leaf']), words, serial=1)


def elf_image(address, offset, image, **values):
    padded = image + bytes(-len(image) % 8)
    return 'codectl:elf_image', {
        'address': address,
        'offset': offset,
        'image': [word for (word,) in struct.iter_unpack('<Q', padded)],
        'image_len': len(image),
        'image_size': len(image),
        **values,
    }


class Image(Stack):
    """The same, of an object whose image is in the trace: the file `image`, in parts."""

    def _events(self):
        registration, taken = super()._events()
        yield registration
        yield from self._image_events()
        yield taken

    def _parts(self, **values):
        with open(str(self._options['image']), 'rb') as file:
            image = file.read()
        part_len = int(self._options['part-len'])
        for offset in range(0, len(image), part_len):
            yield elf_image(
                int(self._options['leaf']),
                offset,
                image[offset : offset + part_len],
                image_size=len(image),
                **values,
            )

    def _image_events(self):
        yield from self._parts()


class ImageLate(Image):
    """A sample, half of the image, another sample, the rest, and a third one."""

    def _events(self):
        registration, taken = Stack._events(self)
        parts = list(self._parts())
        yield registration
        yield taken
        yield from parts[: len(parts) // 2]
        yield taken
        yield from parts[len(parts) // 2 :]
        yield taken


class ImageOfTwo(Image):
    """Of two processes with the same object: parts in turn, those of one are zeros."""

    def _events(self):
        registration, taken = Stack._events(self)
        yield registration
        yield registration[0], {**registration[1], 'vpid': VPID + 1}
        parts = list(self._parts())
        for part in parts[:-1]:
            yield part
            zeros = [0] * len(part[1]['image'])
            yield part[0], {**part[1], 'vpid': VPID + 1, 'image': zeros}
        yield parts[-1]
        yield taken


class ImageMalformed(Image):
    """Parts of images that no sound recorder writes, before a good one."""

    def _image_events(self):
        leaf = int(self._options['leaf'])
        top = 0xFFFFFFFFFFFFFFFF
        # Out of bounds of an event,
        yield elf_image(leaf, 0, b'\x7fELF', image_len=9)
        yield elf_image(leaf, 0, b'\x7fELF', image_len=top)
        yield elf_image(leaf, 0, bytes(8 * 131073))
        # of an image, without what precedes them, without contents, and of no object.
        yield elf_image(leaf, 0, bytes(8), image_size=(64 << 20) + 1)
        yield elf_image(leaf, 0, bytes(8), image_size=top)
        yield elf_image(leaf, 8, bytes(8), image_size=16)
        yield elf_image(leaf, top, bytes(8))
        yield elf_image(leaf, 0, b'')
        yield elf_image(0x1000, 0, bytes(8))
        yield elf_image(leaf, 0, bytes(8), vpid=VPID + 1)
        # One that has a gap, and is given up.
        yield elf_image(leaf, 0, bytes(16), image_size=64)
        yield elf_image(leaf, 24, bytes(40), image_size=64)
        yield from super()._image_events()
        # Known already.
        yield elf_image(leaf, 0, bytes(4096))


class NamedThenUnnamed(Stack):
    """Samples with names, so many that their events are reused, and then some without."""

    def _events(self):
        registration, named = super()._events()
        yield registration
        for _ in range(100):
            yield named
        for _ in range(100):
            yield sample(0x1000)


class Maps(_OneStream):
    """Samples where the map is missing, closed, replaced or not to be opened.

    Their class is of an earlier version, without the field that came later.
    """

    kinds = {('codectl:sample', 'recording'): None}

    def _events(self):
        start, end = 0x10000, 0x20000
        yield sample(0x15000, [0x15100])
        yield register(1, start, end, '/nowhere/first.so')
        yield sample(0x15000, [0x15100], serial=1)
        yield sample(0x15000, [0x15100], serial=1, vpid=VPID + 1)
        yield unregister(2, 1, start, end)
        yield sample(0x15000, [0x15100], serial=2)
        yield register(3, start, end, str(self._options['directory']))
        yield sample(start, [], serial=3)
        yield register(4, start, end, str(self._options['fifo']))
        yield sample(0x15000, [], serial=4)
        yield register(5, start, end, str(self._options['text']))
        yield sample(0x15000, [], serial=5)
        yield register(6, start, end, '')
        yield sample(0x15000, [], serial=6)


class Lost(_OneStream):
    """A registration that did not make it into the trace."""

    def _events(self):
        yield register(1, 0x10000, 0x20000, '/nowhere/first.so')
        yield sample(0x15000, [], serial=1)
        yield sample(0x15000, [], serial=3)
        yield register(3, 0x30000, 0x40000, '/nowhere/third.so')
        yield sample(0x15000, [], serial=3)


class Malformed(_OneStream):
    """Values that no sound recorder writes."""

    def _events(self):
        top = 0xFFFFFFFFFFFFFFFF
        yield register(1, 0x20000, 0x10000, '/nowhere/inverted.so')
        yield register(2, 0, 0, '')
        yield register(top, 0, top, 'x' * 5000)
        yield register(top, 0, top, '/nowhere/all.so', build_id=[1] * 131073)
        yield register(top, 0, top, '/nowhere/all.so', build_id=[1] * 4000)
        yield unregister(top, top, top, 0)
        yield sample(top, [top] * 3, serial=top, timestamp=top)
        yield sample(0, [], regs=[])
        yield sample(0x1000, [], regs=[1, 2, 3])
        yield sample(0x1000, [], regs=[top] * 131073)
        yield sample(0x1000, [0] * 64, stack_map=[])
        yield sample(0x1000, [], stack_map=[top], stack_len=4294967288)
        yield sample(0x1000, [1, 2], stack_len=3)
        yield sample(0x1000, [], stack=[1, 2, 3])


class Random(_OneStream):
    """`count` events of random values, many of them near each other."""

    def _events(self):
        self._random = random.Random(int(self._options['seed']))
        for _ in range(int(self._options['count'])):
            yield self._random.choice((self._register, self._unregister, self._sample))()

    def _address(self):
        base = self._random.choice((0, 0x400000, 0x7F0000000000, SP, 0xFFFFFFFFFFFF0000))
        offset = self._random.choice((0, 8, 0x1000, self._random.randrange(0x6000)))
        return base + offset

    def _number(self):
        return self._random.choice(
            (0, 1, self._random.randrange(100), 0xFFFFFFFF, self._random.getrandbits(64))
        )

    def _image(self):
        return {
            'vpid': self._random.choice((-1, 0, VPID)),
            'start_time': self._random.choice((0, START)),
            'timestamp': self._random.choice((0, 5000, self._number())),
            'serial': self._number(),
        }

    def _register(self):
        names = ('elf_start', 'elf_end', 'text_start', 'text_end', 'sframe_start')
        return 'codectl:register_elf', {
            **self._image(),
            **{name: self._address() for name in names},
            'pathname': self._random.choice((str(self._options['path']), '/', '', 'x/')),
            'build_id': [self._random.randrange(256)] * self._random.choice((0, 0, 20)),
        }

    def _unregister(self):
        return 'codectl:unregister', {
            **self._image(),
            'registered_serial': self._number(),
            'text_start': self._address(),
            'text_end': self._address(),
        }

    def _words(self):
        count = self._random.choice((0, 1, REG_COUNT, self._random.randrange(200)))
        return [self._address() for _ in range(count)]

    def _sample(self):
        words = self._words()
        name, values = sample(self._address(), words, **self._image())
        values['regs'][:PC] = [self._address() for _ in range(PC)]
        # Half of them are wrong in one way or another.
        if self._random.randrange(2):
            wrong = self._random.choice(('regs', 'stack_map', 'stack', 'stack_len', 'stack_start'))
            is_list = isinstance(values[wrong], list)
            values[wrong] = self._words() if is_list else self._number() & 0xFFFFFFF8
        return name, values


class Mistyped(_OneStream):
    """Classes which are not as they should be, each in another way."""

    kinds = {
        ('codectl:register_elf', 'build_id'): 'string',
        ('codectl:unregister', 'text_end'): None,
        ('codectl:sample', 'vpid'): 'u32',
    }

    def _events(self):
        yield 'codectl:register_elf', {'build_id': 'text'}
        yield unregister(2, 1, 0, 0)
        yield unregister(3, 1, 0, 0)
        yield sample(0x1000, [])


class Late:
    """The class of samples appears when a stream runs already."""

    def __init__(self, component, options):
        self._trace_class = component._create_trace_class()
        self._stream_class = self._trace_class.create_stream_class()
        self._plain_class = self._stream_class.create_event_class(name='plain')
        self._trace = self._trace_class()
        self._stream = self._trace.create_stream(self._stream_class)

    def messages(self, iterator):
        yield iterator._create_stream_beginning_message(self._stream)
        yield iterator._create_event_message(self._plain_class, self._stream)
        classes = CodectlClasses(self._trace_class, self._stream_class)
        name, values = sample(0x1000)
        yield classes.message(iterator, self._stream, None, name, **values)
        second = self._trace.create_stream(self._stream_class)
        yield iterator._create_stream_beginning_message(second)
        yield classes.message(iterator, second, None, name, **values)
        yield iterator._create_event_message(self._plain_class, self._stream)
        yield iterator._create_stream_end_message(second)
        yield iterator._create_stream_end_message(self._stream)


class Many:
    """Traces that come and go: what is known of them must go too."""

    def __init__(self, component, options):
        self._component = component
        self._count = int(options['count'])

    def messages(self, iterator):
        for _ in range(self._count):
            yield from self._trace(iterator)

    def _trace(self, iterator):
        trace_class = self._component._create_trace_class()
        stream_class = trace_class.create_stream_class()
        classes = CodectlClasses(trace_class, stream_class)
        stream = trace_class().create_stream(stream_class)
        name, values = sample(0x1000)
        yield iterator._create_stream_beginning_message(stream)
        yield classes.message(iterator, stream, None, name, **values)
        yield iterator._create_stream_end_message(stream)
