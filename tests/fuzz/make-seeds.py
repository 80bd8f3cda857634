#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
"""Cuts seeds for the fuzz targets out of ELF files.

usage: make-seeds.py OUTPUT-DIRECTORY ELF-FILE...

Writes OUTPUT-DIRECTORY/{cfi,elf,expr,sframe,symbolize,unwind}/*: sections .eh_frame, as
one or a few CIEs each with those FDEs whose programs differ most, with and
without a search table; .sframe, with all but a few functions dropped; the
expressions of programs; files of headers and notes alone; small files with DWARF
as they are; and stacks whose words point to the code of a seed. The formats are those that fuzz-*.c read.
"""
import hashlib
import os
import random
import struct
import sys

FLAG_DEBUG_FRAME, FLAG_NO_SECTIONS, FLAG_NO_HDR, FLAG_ENTRY, FLAG_SFRAME, FLAG_LAZY = (
    1, 2, 4, 8, 16, 0xe0)
MODE_RAW_ELF, MODE_RED_ZONE = 1, 32
FDES_PER_CIE = 10
SECTION_MAX = 3000
FILE_MAX = 8192
CODE = 0x1000
SECTION_VADDR = 0x40000
PCREL_SDATA4 = 0x1b


class Elf:
    def __init__(self, path):
        with open(path, 'rb') as file:
            self.bytes = file.read()
        if self.bytes[:5] != b'\x7fELF\x02':
            raise ValueError('not an ELF64 file')
        self.is_little = self.bytes[5] == 1
        order = '<' if self.is_little else '>'
        self.phoff, self.shoff = struct.unpack_from(order + 'QQ', self.bytes, 32)
        self.phnum, _, self.shnum, self.shstrndx = struct.unpack_from(
            order + 'HHHH', self.bytes, 56)
        self.sections = [struct.unpack_from(order + 'IIQQQQIIQQ', self.bytes, self.shoff + 64 * i)
                         for i in range(self.shnum)]
        self.segments = [struct.unpack_from(order + 'IIQQQQQQ', self.bytes, self.phoff + 56 * i)
                         for i in range(self.phnum)]

    def name(self, section):
        start = self.sections[self.shstrndx][4] + section[0]
        return self.bytes[start:self.bytes.index(b'\0', start)].decode()

    def find(self, name):
        """Contents and vaddr of a section, or (None, 0)."""
        for section in self.sections:
            if section[1] != 8 and self.name(section) == name:
                return self.bytes[section[4]:section[4] + section[5]], section[3]
        return None, 0


def uleb128(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7f) << shift
        shift += 7
        if not byte & 0x80:
            return value, at


def skip_operands(data, at, kinds):
    for kind in kinds:
        if kind == 'l':
            _, at = uleb128(data, at)
        else:
            at += int(kind)
    return at


# Operands of the DW_CFA operations without one in the operation: 'l' is a LEB128.
OPERANDS = {0x00: '', 0x01: '4', 0x02: '1', 0x03: '2', 0x04: '4', 0x05: 'll', 0x06: 'l', 0x07: 'l',
            0x08: 'l', 0x09: 'll', 0x0a: '', 0x0b: '', 0x0c: 'll', 0x0d: 'l', 0x0e: 'l',
            0x11: 'll', 0x12: 'll', 0x13: 'l', 0x14: 'll', 0x15: 'll', 0x2d: '', 0x2e: 'l',
            0x2f: 'll'}


def walk_program(program):
    """The set of operations in a CFA program, and its expressions."""
    operations, expressions, at = set(), [], 0
    while at < len(program):
        op = program[at]
        at += 1
        if op & 0xc0:
            operations.add((op & 0xc0, op & 0x3f if op & 0xc0 == 0x80 else 0))
            if op & 0xc0 == 0x80:
                _, at = uleb128(program, at)
        elif op in (0x0f, 0x10, 0x16):
            if op != 0x0f:
                _, at = uleb128(program, at)
            length, at = uleb128(program, at)
            expressions.append((op != 0x0f, program[at:at + length]))
            operations.add((op, program[at:at + length]))
            at += length
        elif op in OPERANDS:
            operations.add((op, 0))
            at = skip_operands(program, at, OPERANDS[op])
        else:
            break
    return operations, expressions


def parse_section(data):
    """{offset of CIE: (its bytes, [(bytes of an FDE after its CIE pointer, program)])}"""
    cies, at = {}, 0
    while at + 8 <= len(data):
        length, pointer = struct.unpack_from('<II', data, at)
        if length == 0 or length >= 0xfffffff0:
            break
        body = data[at + 8:at + 4 + length]
        if pointer == 0:
            cies[at] = (body, [])
        elif at + 4 - pointer in cies:
            cie, fdes = cies[at + 4 - pointer]
            # pcrel sdata4 start and size, then augmentation data.
            program_at = 8
            if b'z' in cie[:8]:
                skip, program_at = uleb128(body, 8)
                program_at += skip
            fdes.append((body, body[program_at:]))
        at += 4 + length
    return cies


def choose(fdes, count):
    """FDEs with operations that those before did not have, then some others."""
    known, chosen = set(), []
    for body, program in sorted(fdes, key=lambda fde: len(fde[1])):
        operations, _ = walk_program(program)
        if not operations <= known and len(body) < 600:
            known |= operations
            chosen.append(body)
    return chosen[:2 * count] + [fde[0] for fde in fdes[:count]]


class SectionWriter:
    """Writes .eh_frame anew, its functions one behind the other from CODE on."""

    def __init__(self, is_debug_frame=False):
        self.data, self.table, self.code = b'', [], CODE
        self.is_debug_frame = is_debug_frame

    def add_cie(self, body):
        self.cie = len(self.data)
        pointer = 0xffffffff if self.is_debug_frame else 0
        self.data += struct.pack('<II', len(body) + 4, pointer) + body

    def add_fde(self, body):
        size = struct.unpack_from('<I', body, 4)[0] & 0xfff or 0x10
        at = len(self.data)
        start = self.code - (SECTION_VADDR + at + 8)
        pointer = self.cie if self.is_debug_frame else at + 4 - self.cie
        self.data += struct.pack('<IIiI', len(body) + 4, pointer, start, size) + body[8:]
        self.table.append((self.code, at))
        self.code += size

    def finish(self, flags, with_table):
        """The input of fuzz/image.h."""
        section = self.data + (b'' if self.is_debug_frame else b'\0\0\0\0')
        hdr = b''
        if with_table:
            hdr_len = 12 + 8 * len(self.table)
            shift = (hdr_len + 7) & ~7
            if flags & FLAG_LAZY == FLAG_LAZY:
                shift += 1 << 20
            hdr_vaddr = SECTION_VADDR - shift
            hdr = struct.pack('<BBBBiI', 1, PCREL_SDATA4, 3, 0x3b, shift - 4, len(self.table))
            for code, at in self.table:
                hdr += struct.pack('<ii', code - hdr_vaddr, SECTION_VADDR + at - hdr_vaddr)
        else:
            flags |= FLAG_NO_HDR
        return struct.pack('<BIH', flags, SECTION_VADDR, len(hdr)) + hdr + section


class Seeds:
    def __init__(self, directory):
        self.directory = directory

    def write(self, target, data):
        if not 0 < len(data) < 16384:
            return
        directory = os.path.join(self.directory, target)
        os.makedirs(directory, exist_ok=True)
        with open(os.path.join(directory, hashlib.sha1(data).hexdigest()), 'wb') as file:
            file.write(data)


def make_sections(cies):
    """Inputs of fuzz/image.h out of a parsed .eh_frame."""
    rng = random.Random(1)
    for cie, fdes in cies.values():
        if not fdes:
            continue
        for is_debug_frame in (False, True):
            writer = SectionWriter(is_debug_frame)
            writer.add_cie(cie)
            for body in choose(fdes, FDES_PER_CIE):
                if len(writer.data) + len(body) < SECTION_MAX:
                    writer.add_fde(body)
            flags = [FLAG_DEBUG_FRAME] if is_debug_frame else [
                0, FLAG_NO_SECTIONS, FLAG_ENTRY, FLAG_LAZY]
            for flag in flags:
                yield writer.finish(flag, not is_debug_frame)
            yield writer.finish(flags[0], False)
        if rng.random() < 0.05:
            break
    if len(cies) > 1:
        writer = SectionWriter()
        for cie, fdes in list(cies.values())[:12]:
            writer.add_cie(cie)
            for body in choose(fdes, 2)[:3]:
                writer.add_fde(body)
        yield writer.finish(0, True)


def make_expressions(seeds, cies):
    known = set()
    for _, fdes in cies.values():
        for _, program in fdes:
            for has_initial, expression in walk_program(program)[1]:
                if expression not in known and len(known) < 40:
                    known.add(expression)
                    seeds.write('expr', struct.pack('<BBQQQ', has_initial, 17, 0x1ffff, 0x1000,
                                                    len(known)) + expression)


def make_stack(image, rng, mode=0):
    """A sample whose words point into the functions of @image, before it."""
    mode |= rng.choice((0, 0, MODE_RED_ZONE))
    count = rng.choice((16, 40, 120))
    words = b''
    for index in range(17):
        if index == 16:
            words += struct.pack('<BH', 0, CODE + rng.randrange(0x400))
        elif index in (6, 7):
            words += struct.pack('<BB', 3, 0 if index == 7 else rng.randrange(16))
        else:
            words += struct.pack('<BB', 3, rng.randrange(16))
    for index in range(count):
        kind = rng.random()
        if kind < 0.6:
            words += struct.pack('<BH', 0, CODE + rng.randrange(0x800))
        elif kind < 0.9:
            words += struct.pack('<BB', 3, min(index + rng.randrange(1, 12), 254))
        elif kind < 0.95:
            words += struct.pack('<BH', 5, rng.randrange(0x1000))
        else:
            words += struct.pack('<BH', 0x87, 1)
    return struct.pack('<BBBBb', mode, 64, 17, count, 0) + words + image


def make_headers(elf):
    """A file with the headers, names, notes and debug link of @elf, and no more."""
    kept = ('.shstrtab', '.note.gnu.build-id', '.note.ABI-tag', '.gnu_debuglink', '.eh_frame_hdr')
    out = bytearray(elf.bytes[:64])
    contents = bytearray()
    base = 64 + 56 * elf.phnum + 64 * elf.shnum
    places, headers = {}, bytearray()
    for section in elf.sections:
        offset = base + len(contents)
        size = section[5]
        if elf.name(section) in kept and section[1] != 8:
            size = min(size, 1024)
            places[section[4]] = offset
            contents += elf.bytes[section[4]:section[4] + size]
            contents += bytes(-len(contents) % 8)
        headers += struct.pack('<IIQQQQIIQQ', section[0], section[1], section[2], section[3],
                               offset, size, *section[6:])
    struct.pack_into('<QQ', out, 32, 64, 64 + 56 * elf.phnum)
    for segment in elf.segments:
        out += struct.pack('<IIQQQQQQ', *segment[:2], places.get(segment[2], segment[2]),
                           *segment[3:])
    return bytes(out + headers + contents)


def make_sframe(elf):
    """.sframe with its first functions alone, as fuzz-sframe.c and fuzz/image.h read it."""
    data, _ = elf.find('.sframe')
    if not data or len(data) < 28:
        return
    header = ('<' if data[:2] == b'\xe2\xde' else '>') + 'HBBBbbBIIIII'
    magic, version, flags, abi, fp, ra, aux, fdes, _, fre_len, fde_at, fre_at = struct.unpack_from(
        header, data)
    fde_size = {1: 17, 2: 20, 3: 16}.get(version)
    if magic != 0xdee2 or not fde_size:
        return
    for count in (1, 8, 40):
        count = min(count, fdes)
        begin = 28 + aux + fde_at
        table = data[begin:begin + count * fde_size]
        fres = data[28 + aux + fre_at:][:min(fre_len, 40 * count)]
        yield struct.pack(header, magic, version, flags, abi, fp, ra, 0, count, count * 8,
                          len(fres), 0, len(table)) + table + fres


def main():
    seeds = Seeds(sys.argv[1])
    for path in sys.argv[2:]:
        try:
            elf = Elf(path)
        except (ValueError, struct.error) as error:
            print(f'{path}: {error}', file=sys.stderr)
            continue
        rng = random.Random(path)
        for section in make_sframe(elf):
            seeds.write('sframe', struct.pack('<I', SECTION_VADDR) + section)
            image = struct.pack('<BIH', FLAG_SFRAME, SECTION_VADDR, 0) + section
            seeds.write('unwind', make_stack(image, rng))
        if not elf.is_little:
            continue
        if elf.find('.debug_info')[0] and len(elf.bytes) <= FILE_MAX:
            seeds.write('symbolize', elf.bytes)
        data, _ = elf.find('.eh_frame')
        cies = parse_section(data) if data else {}
        for image in make_sections(cies):
            seeds.write('cfi', image)
            seeds.write('unwind', make_stack(image, rng))
        make_expressions(seeds, cies)
        headers = make_headers(elf)
        seeds.write('elf', headers)
        seeds.write('unwind', make_stack(headers, rng, MODE_RAW_ELF))


if __name__ == '__main__':
    main()
