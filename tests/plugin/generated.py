# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# Scenarios with generated code.
import random
import struct

from codectl_events import FIELDS
from samples import PC, SP, START, VPID, _OneStream, register, sample, unregister

RBP = 6
TABLE, FP, SFRAME, EH_FRAME = 0, 4, 5, 6
INFO_SP, INFO_OUTERMOST = 0x43, 0x41
REGION, REGION_END = 0x100000, 0x110000


def region(serial, start, end, format=TABLE, **values):
    return 'codectl:register_jit', {
        'serial': serial,
        'text_start': start,
        'text_end': end,
        'format': format,
        **values,
    }


def rows(serial, registered, first, *content, **values):
    """Rows are (ip_off, size, cfa_off, info)."""
    columns = list(zip(*content))
    return 'codectl:jit_rows', {
        'serial': serial,
        'registered_serial': registered,
        'first': first,
        'ip_off': columns[0],
        'size': columns[1],
        'cfa_off': columns[2],
        'ra_off': [-8] * len(content),
        'fp_off': [0] * len(content),
        'info': columns[3],
        **values,
    }


def symbol(serial, name, start, size, **values):
    return 'codectl:jit_symbol', {
        'serial': serial,
        'name': name,
        'start': start,
        'size': size,
        **values,
    }


def blobs(registered, content, part_len):
    for offset in range(0, len(content), part_len):
        part = content[offset : offset + part_len]
        padded = part + bytes(-len(part) % 8)
        yield 'codectl:jit_blob', {
            'registered_serial': registered,
            'offset': offset,
            'blob': [word for (word,) in struct.iter_unpack('<Q', padded)],
            'blob_len': len(part),
        }


def eh_frame(vaddr, start, size):
    """A section for one function, whose CFA is rsp + 16."""
    cie = b'\0\0\0\0\1zR\0\1\x78\x10\1\x1b\x0c\7\x08\x90\1\0\0'
    where = vaddr + 4 + len(cie) + 8
    fde = struct.pack('<IiI', len(cie) + 8, start - where, size) + b'\0\x0e\x10\0'
    return struct.pack('<I', len(cie)) + cie + struct.pack('<I', len(fde)) + fde + bytes(4)


def lines_of(registered):
    """deep(), at c.js:30, is inlined in shallow() at b.js:20, and that at a.js:10."""
    yield 'codectl:jit_inlines', {
        'registered_serial': registered,
        'parent': [0, 1],
        'name': [1, 2],
        'call_file': [3, 4],
        'call_line': [10, 20],
        'texts': 'shallow\ndeep\n/src/a.js\n/src/b.js',
    }
    yield 'codectl:jit_lines', {
        'registered_serial': registered,
        'offset': [0, 0x10],
        'scope': [0, 2],
        'file': [1, 2],
        'line': [1, 30],
        'texts': '/src/a.js\n/src/c.js',
    }


class Generated(_OneStream):
    """One sample for each thing that there is to see."""

    def _events(self):
        yield region(1, REGION, REGION_END)
        yield rows(
            2, 1, 0, (0x100, 0x100, 16, INFO_SP), (0x200, 0x100, 0, INFO_OUTERMOST)
        )
        yield symbol(3, 'inner', REGION + 0x100, 0x100)
        yield symbol(4, 'outer', REGION + 0x200, 0x100)
        yield sample(REGION + 0x110, [7, REGION + 0x220], serial=4)
        yield rows(5, 1, 0, (0x300, 0x100, 0, INFO_OUTERMOST), table=1)
        yield symbol(6, 'late', REGION + 0x300, 0x100)
        yield sample(REGION + 0x110, [7, REGION + 0x305], serial=4, timestamp=5003)
        yield unregister(7, 1, REGION, REGION_END)
        yield region(8, REGION, REGION_END)
        yield rows(
            9,
            8,
            0,
            (0x100, 0x200, 16, INFO_SP),
            (0x300, 0x80, 16, INFO_SP),
            (0x400, 0x100, 0, INFO_OUTERMOST),
        )
        yield symbol(10, 'second', REGION + 0x100, 0x200)
        yield sample(REGION + 0x110, [7, REGION + 0x230, 7, 0], serial=10)
        lined = REGION + 0x800
        yield symbol(11, 'lined', lined, 0x40, inline_count=2, line_count=2)
        yield from lines_of(11)
        yield sample(lined + 0x18, [], serial=11)
        yield sample(REGION + 0x310, [7, lined + 0x10], serial=11)
        yield region(12, 0x200000, 0x210000, FP)
        name, values = sample(0x200100, [1, 2, SP + 32, 0x200200, 0, 0], serial=12)
        values['regs'][RBP] = SP + 16
        yield name, values
        yield symbol(13, 'alone', 0x300000, 16)
        yield sample(0x300004, [], serial=13)
        content = eh_frame(0x500000, 0x400100, 0x100)
        yield region(
            14, 0x400000, 0x401000, EH_FRAME, unwind_head=0x500000, reserved_len=len(content)
        )
        yield from blobs(14, content, 24)
        yield symbol(15, 'framed', 0x400100, 0x100)
        yield symbol(16, 'base', REGION + 0x400, 0x100)
        yield sample(0x400104, [7, REGION + 0x420], serial=16)


class Malformed(_OneStream):
    """Events that no sound recorder writes, between sound ones."""

    def _events(self):
        top = 0xFFFFFFFFFFFFFFFF
        sound = (0x100, 0x100, 16, INFO_SP)
        yield region(1, REGION, REGION_END)
        yield rows(2, 1, 0, sound, (0x200, 0x100, 0, INFO_OUTERMOST))
        yield symbol(3, 'inner', REGION + 0x100, 0x100)
        yield symbol(4, 'outer', REGION + 0x200, 0x100)
        yield region(5, REGION, REGION)
        yield region(6, 0, top)
        yield region(7, REGION, REGION_END, 8)
        yield register(8, 0x600000, 0x601000, '/nowhere/file.so')
        # Of what is not registered, or is a file.
        yield rows(9, 99, 0, sound)
        yield rows(10, 8, 0, sound)
        yield rows(11, 1, 2, (0x500, 0, 8, INFO_SP), (0xFFFF, 2, 8, INFO_SP), (0, 1, 8, 3))
        # Columns that are not equally long.
        yield rows(12, 1, 5, sound, size=[])
        yield rows(13, 1, 5, sound, flags=[1, 2])
        yield 'codectl:jit_blob', {'blob': [1], 'blob_len': 9}
        yield 'codectl:jit_lines', {'registered_serial': 4, 'offset': [1]}
        # Parts of sections.
        yield region(14, 0x700000, 0x701000, SFRAME, reserved_len=64)
        yield from blobs(1, bytes(8), 8)
        yield from list(blobs(14, bytes(64), 32))[1:]
        yield from blobs(14, bytes(72), 72)
        yield from blobs(14, bytes(64), 64)
        # Symbols.
        yield symbol(15, 'empty', REGION, 0)
        yield symbol(16, 'lined', REGION + 0x800, 0x100, inline_count=1, line_count=1)
        yield from list(lines_of(99))[1:]
        yield from lines_of(16)
        yield 'codectl:jit_symbol_unload', {'serial': 17, 'registered_serial': 99}
        yield 'codectl:unrecorded_program', {'pathname': '/bin/static', 'reason': 1, 'count': 2}
        yield sample(REGION + 0x110, [7, REGION + 0x220], serial=17)


class Random(_OneStream):
    """Events of random values, many of them near each other."""

    COUNT = 3000

    def _events(self):
        self._random = random.Random(int(self._options['seed']))
        names = [name for name in FIELDS if 'jit' in name or 'statedump' in name]
        names += ['codectl:unregister', 'codectl:register_elf'] + ['codectl:sample'] * 3
        for _ in range(self.COUNT):
            name = self._random.choice(names)
            if name == 'codectl:sample':
                words = [self._address() for _ in range(20)]
                _, values = sample(self._address(), words, serial=self._small())
                values['regs'][:PC] = [self._address() for _ in range(PC)]
            else:
                length = self._random.choice((0, 1, 2, 3))
                values = {
                    field: self._value(field, kind, length) for field, kind in FIELDS[name]
                }
            values['vpid'] = VPID
            values['start_time'] = START
            values['timestamp'] = 5000 + self._random.randrange(3000)
            yield name, values

    def _address(self):
        return REGION + self._random.choice((0, 0x800, self._random.randrange(0x1000)))

    def _small(self):
        return self._random.choice((0, self._random.randrange(200), self._random.randrange(8)))

    def _value(self, field, kind, length):
        if kind.endswith('[]'):
            if self._random.randrange(20) == 0:
                length = self._random.randrange(9)
            return [self._value(field, kind[:-2], 0) for _ in range(length)]
        if kind == 'string':
            return self._random.choice(('', 'a', 'a\nb', '\n\n', 'x' * 100))
        if field in ('text_start', 'text_end', 'elf_start', 'elf_end', 'start'):
            return self._address()
        if field == 'info':
            return self._random.choice((INFO_SP, 0x45, 0x42, 0x44, INFO_OUTERMOST, 0x13))
        if field == 'format':
            return self._random.randrange(9)
        bits = int(kind[1:])
        if self._random.randrange(20) == 0:
            number = self._random.getrandbits(bits)
            return number - (1 << (bits - 1)) if kind[0] == 'i' else number
        return self._small()
