/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "sampler/object-image.h"

#include "format/eh-frame.h"
#include "format/quiet-open.h"
#include "provider/helper.h"
#include "sampler/original.h"

#include <errno.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef PT_GNU_SFRAME
#define PT_GNU_SFRAME 0x6474e554
#endif

#define SEGMENT_MAX 64
#define NOTES_MAX   4096
#define DYNAMIC_MAX 512
#define SECTION_MAX 65536

/* What is being looked at. */
struct look {
	const struct codectl_event_register_elf *elf;
	struct codectl_skeleton *skeleton;
	Elf64_Ehdr header;
	Elf64_Phdr segments[SEGMENT_MAX];
	uint64_t bias; /* From an address in the file to one in memory. */
};

/* A part of memory that is read ahead, for what is read in small pieces. */
struct window {
	uint64_t start;
	size_t len;
	uint8_t bytes[8192];
};

/* Helper thread only. */
static struct window window;

/* Copies a number of @size bytes. Returns 0 or -EFAULT. */
static int read_number(uint64_t address, void *number, size_t size)
{
	if (address < window.start || window.len < size ||
		address - window.start > window.len - size) {
		/* Where that much is not there, what is asked for may still be. */
		window.start = address;
		window.len = sizeof(window.bytes);
		while (codectl_provider_read_memory(address, window.bytes, window.len)) {
			window.len /= 2;
			if (window.len < size)
				return -EFAULT;
		}
	}
	memcpy(number, window.bytes + (address - window.start), size);
	return 0;
}

static int read_headers(struct look *look)
{
	uint64_t lowest = UINT64_MAX;
	size_t count;

	if (look->elf->elf_start == 0 ||
		codectl_provider_read_memory(
			look->elf->elf_start, &look->header, sizeof(look->header)) ||
		memcmp(look->header.e_ident, ELFMAG, SELFMAG) != 0 ||
		look->header.e_ident[EI_CLASS] != ELFCLASS64 ||
		look->header.e_phentsize != sizeof(Elf64_Phdr) ||
		look->header.e_phnum > SEGMENT_MAX)
		return -ENOENT;
	count = look->header.e_phnum;
	if (codectl_provider_read_memory(look->elf->elf_start + look->header.e_phoff,
		    look->segments, count * sizeof(Elf64_Phdr)))
		return -ENOENT;
	for (size_t i = 0; i < count; i++) {
		if (look->segments[i].p_type == PT_LOAD && look->segments[i].p_vaddr < lowest)
			lowest = look->segments[i].p_vaddr;
	}
	look->bias = look->elf->elf_start - lowest;
	return 0;
}

/* Adds a section that is mapped. Returns its index or -1. */
static int add_mapped(const struct look *look, const char *name, uint32_t type, uint64_t vaddr,
	uint64_t size, uint32_t segment_type)
{
	struct codectl_skeleton_piece piece = {
		.name = name,
		.type = type,
		.flags = SHF_ALLOC,
		.vaddr = vaddr,
		.size = size,
		.segment_type = segment_type,
		.source = look->bias + vaddr,
	};

	if (size == 0 || size > CODECTL_OBJECT_IMAGE_MAX)
		return -1;
	return codectl_skeleton_add(look->skeleton, &piece);
}

/* Up to the entry of length 0 that ends it, or the end of its segment. */
static uint64_t eh_frame_len(const struct look *look, uint64_t vaddr)
{
	uint64_t end = 0;
	uint64_t at = vaddr;

	for (size_t i = 0; i < look->header.e_phnum; i++) {
		const Elf64_Phdr *segment = &look->segments[i];

		if (segment->p_type == PT_LOAD && vaddr >= segment->p_vaddr &&
			vaddr - segment->p_vaddr < segment->p_filesz)
			end = segment->p_vaddr + segment->p_filesz;
	}
	while (at < end && end - at >= sizeof(uint32_t)) {
		uint32_t len = 0;
		uint64_t wide = 0;
		uint64_t left = end - at;

		if (read_number(look->bias + at, &len, sizeof(len)))
			break;
		if (len == 0)
			return at + sizeof(len) - vaddr;
		if (len == UINT32_MAX &&
			read_number(look->bias + at + sizeof(len), &wide, sizeof(wide)))
			break;
		wide = len == UINT32_MAX ? wide + 12 : (uint64_t)len + 4;
		if (wide < 12 || wide > left)
			break;
		at += wide;
	}
	return at - vaddr;
}

static void add_eh_frame(const struct look *look, const Elf64_Phdr *segment)
{
	uint8_t head[12];
	struct codectl_eh_frame_hdr hdr;

	if (codectl_provider_read_memory(look->bias + segment->p_vaddr, head, sizeof(head)) ||
		codectl_eh_frame_hdr_init(&hdr, head, sizeof(head), segment->p_vaddr))
		return;
	add_mapped(look, ".eh_frame_hdr", SHT_PROGBITS, segment->p_vaddr, segment->p_filesz,
		PT_GNU_EH_FRAME);
	add_mapped(look, ".eh_frame", SHT_PROGBITS, hdr.eh_frame_vaddr,
		eh_frame_len(look, hdr.eh_frame_vaddr), 0);
}

/* What PT_DYNAMIC says, as addresses in the file; 0: absent. */
struct dynamic {
	uint64_t symbols, names, names_size, hash, gnu_hash;
};

/* The dynamic loader may have made an address of it, of that process. */
static uint64_t to_vaddr(const struct look *look, uint64_t value)
{
	return value >= look->elf->elf_start && value < look->elf->elf_end ? value - look->bias
									   : value;
}

static void read_dynamic(
	const struct look *look, const Elf64_Phdr *segment, struct dynamic *dynamic)
{
	Elf64_Dyn entry;

	memset(dynamic, 0, sizeof(*dynamic));
	for (uint64_t i = 0; i < DYNAMIC_MAX && (i + 1) * sizeof(entry) <= segment->p_memsz; i++) {
		if (read_number(look->bias + segment->p_vaddr + i * sizeof(entry), &entry,
			    sizeof(entry)) ||
			entry.d_tag == DT_NULL)
			break;
		if (entry.d_tag == DT_SYMTAB)
			dynamic->symbols = to_vaddr(look, entry.d_un.d_ptr);
		else if (entry.d_tag == DT_STRTAB)
			dynamic->names = to_vaddr(look, entry.d_un.d_ptr);
		else if (entry.d_tag == DT_STRSZ)
			dynamic->names_size = entry.d_un.d_val;
		else if (entry.d_tag == DT_HASH)
			dynamic->hash = to_vaddr(look, entry.d_un.d_ptr);
		else if (entry.d_tag == DT_GNU_HASH)
			dynamic->gnu_hash = to_vaddr(look, entry.d_un.d_ptr);
	}
}

/*
 * The number of dynamic symbols. DT_HASH: u32 nbucket, nchain (one per symbol).
 * DT_GNU_HASH: u32 nbuckets, symoffset, bloom words (u64), shift; the bloom words; a
 * first symbol per bucket; from symoffset on one word per symbol, whose bit 0 ends
 * the chain of a bucket.
 */
static uint64_t count_symbols(const struct look *look, const struct dynamic *dynamic)
{
	uint32_t head[4];
	uint32_t last = 0;
	uint32_t word = 0;

	if (dynamic->hash)
		return read_number(look->bias + dynamic->hash, head, 8) ? 0 : head[1];
	if (!dynamic->gnu_hash || read_number(look->bias + dynamic->gnu_hash, head, sizeof(head)))
		return 0;

	uint64_t buckets = look->bias + dynamic->gnu_hash + sizeof(head) + head[2] * UINT64_C(8);
	uint64_t chains = buckets + head[0] * UINT64_C(4);

	for (uint32_t i = 0; i < head[0]; i++) {
		if (read_number(buckets + i * UINT64_C(4), &word, sizeof(word)))
			return 0;
		if (word > last)
			last = word;
	}
	if (last < head[1])
		return head[1];
	while (read_number(chains + (last - head[1]) * UINT64_C(4), &word, sizeof(word)) == 0) {
		last++;
		if (word & 1)
			return last;
	}
	return 0;
}

static void add_dynamic_symbols(const struct look *look, const Elf64_Phdr *segment)
{
	struct dynamic dynamic;

	read_dynamic(look, segment, &dynamic);
	if (!dynamic.symbols || !dynamic.names)
		return;

	uint64_t count = count_symbols(look, &dynamic);
	int names = add_mapped(look, ".dynstr", SHT_STRTAB, dynamic.names, dynamic.names_size, 0);
	int symbols = names < 0 ? -1
				: add_mapped(look, ".dynsym", SHT_DYNSYM, dynamic.symbols,
					  count * sizeof(Elf64_Sym), 0);

	if (symbols < 0)
		return;
	look->skeleton->pieces[symbols].link_piece = (uint32_t)names;
	look->skeleton->pieces[symbols].entry_size = sizeof(Elf64_Sym);
}

static void add_code(const struct look *look, const Elf64_Phdr *segment)
{
	struct codectl_skeleton_piece piece = {
		.name = ".code",
		.type = SHT_NOBITS,
		.flags = SHF_ALLOC | SHF_EXECINSTR,
		.vaddr = segment->p_vaddr,
		.size = segment->p_memsz,
	};

	codectl_skeleton_add(look->skeleton, &piece);
}

static void add_segment(const struct look *look, const Elf64_Phdr *segment)
{
	struct codectl_skeleton *skeleton = look->skeleton;
	const struct codectl_event_register_elf *elf = look->elf;

	switch (segment->p_type) {
	case PT_LOAD:
		if (skeleton->load_count < CODECTL_SKELETON_LOAD_MAX)
			skeleton->loads[skeleton->load_count++] = *segment;
		if (segment->p_flags & PF_X)
			add_code(look, segment);
		break;
	case PT_INTERP:
		skeleton->has_interp = true;
		break;
	case PT_NOTE:
		if (segment->p_filesz <= NOTES_MAX)
			add_mapped(look, ".note", SHT_NOTE, segment->p_vaddr, segment->p_filesz,
				PT_NOTE);
		break;
	case PT_GNU_EH_FRAME:
		add_eh_frame(look, segment);
		break;
	case PT_GNU_SFRAME:
		add_mapped(look, ".sframe", SHT_PROGBITS, segment->p_vaddr,
			elf->sframe_end - elf->sframe_start, PT_GNU_SFRAME);
		break;
	case PT_DYNAMIC:
		add_dynamic_symbols(look, segment);
		break;
	default:
		break;
	}
}

/* Reads the whole of both sections into one piece of memory. */
static int read_symbols(struct codectl_object_image *image, int fd, const Elf64_Shdr *symbols,
	const Elf64_Shdr *names)
{
	size_t size = symbols->sh_size + names->sh_size;
	char *bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (bytes == MAP_FAILED)
		return -ENOMEM;
	if (pread(fd, bytes, symbols->sh_size, (off_t)symbols->sh_offset) !=
			(ssize_t)symbols->sh_size ||
		pread(fd, bytes + symbols->sh_size, names->sh_size, (off_t)names->sh_offset) !=
			(ssize_t)names->sh_size) {
		munmap(bytes, size);
		return -EIO;
	}
	image->symbols = bytes;
	image->symbols_size = size;
	return 0;
}

static void add_static_symbols(
	struct codectl_object_image *image, const Elf64_Shdr *symbols, const Elf64_Shdr *names)
{
	struct codectl_skeleton_piece piece = {
		.name = ".strtab",
		.type = SHT_STRTAB,
		.size = names->sh_size,
		.source = (uintptr_t)image->symbols + symbols->sh_size,
	};
	int index = codectl_skeleton_add(&image->skeleton, &piece);

	piece.name = ".symtab";
	piece.type = SHT_SYMTAB;
	piece.size = symbols->sh_size;
	piece.source = (uintptr_t)image->symbols;
	piece.link_piece = (uint32_t)index;
	piece.entry_size = sizeof(Elf64_Sym);
	if (index >= 0)
		codectl_skeleton_add(&image->skeleton, &piece);
}

/* Finds .symtab and the names of its symbols in a file. Returns 0 or -ENOENT. */
static int find_symbols(int fd, Elf64_Shdr *symbols, Elf64_Shdr *names)
{
	Elf64_Ehdr header;

	if (pread(fd, &header, sizeof(header), 0) != (ssize_t)sizeof(header) ||
		header.e_shentsize != sizeof(*symbols) || header.e_shoff == 0)
		return -ENOENT;
	/* It is one of the last. */
	for (size_t i = header.e_shnum; i-- > 0;) {
		off_t at = (off_t)(header.e_shoff + i * sizeof(*symbols));

		if (pread(fd, symbols, sizeof(*symbols), at) != (ssize_t)sizeof(*symbols))
			return -ENOENT;
		if (symbols->sh_type != SHT_SYMTAB || symbols->sh_entsize != sizeof(Elf64_Sym))
			continue;
		at = (off_t)(header.e_shoff + symbols->sh_link * sizeof(*names));
		if (symbols->sh_link >= header.e_shnum ||
			pread(fd, names, sizeof(*names), at) != (ssize_t)sizeof(*names) ||
			names->sh_type != SHT_STRTAB || symbols->sh_size == 0 ||
			symbols->sh_size > CODECTL_OBJECT_IMAGE_MAX ||
			names->sh_size > CODECTL_OBJECT_IMAGE_MAX - symbols->sh_size)
			return -ENOENT;
		return 0;
	}
	return -ENOENT;
}

/* Adds what is in the file but not in memory, if the whole does not become too big. */
static void add_from_file(
	struct codectl_object_image *image, const struct codectl_event_register_elf *elf)
{
	Elf64_Shdr symbols, names;
	int fd = codectl_original_open(elf);

	if (fd < 0)
		return;
	if (find_symbols(fd, &symbols, &names) == 0 &&
		symbols.sh_size + names.sh_size <= CODECTL_OBJECT_IMAGE_MAX - image->skeleton.len &&
		read_symbols(image, fd, &symbols, &names) == 0)
		add_static_symbols(image, &symbols, &names);
	codectl_quiet_close(fd);
}

/* Where a process begins; linkers of old wrote something into libraries as well. */
static uint64_t entry_of(const struct look *look)
{
	bool is_loader = look->elf->elf_start == getauxval(AT_BASE);

	return look->header.e_type == ET_EXEC || look->skeleton->has_interp || is_loader
		       ? look->header.e_entry
		       : 0;
}

int codectl_object_image_open(
	struct codectl_object_image *image, const struct codectl_event_register_elf *elf)
{
	static struct look look;
	int ret;

	memset(image, 0, sizeof(*image));
	memset(&window, 0, sizeof(window));
	look.elf = elf;
	look.skeleton = &image->skeleton;
	ret = read_headers(&look);
	if (ret)
		return ret;
	for (size_t i = 0; i < look.header.e_phnum; i++)
		add_segment(&look, &look.segments[i]);
	image->skeleton.type = look.header.e_type;
	image->skeleton.machine = look.header.e_machine;
	image->skeleton.entry = entry_of(&look);
	ret = codectl_skeleton_layout(&image->skeleton);
	if (ret == 0 && image->skeleton.len > CODECTL_OBJECT_IMAGE_MAX)
		ret = -E2BIG;
	if (ret == 0) {
		add_from_file(image, elf);
		ret = codectl_skeleton_layout(&image->skeleton);
	}
	if (ret)
		codectl_object_image_close(image);
	return ret;
}

/* Copies what is between @offset and @offset + @len of the @size bytes which are at @at. */
static int copy_part(uint64_t offset, uint8_t *to, size_t len, uint64_t at, uint64_t size,
	uint64_t source, const void *bytes)
{
	uint64_t start = offset > at ? offset : at;
	uint64_t end = offset + len < at + size ? offset + len : at + size;

	if (start >= end)
		return 0;
	if (!bytes)
		return codectl_provider_read_memory(
			source + (start - at), to + (start - offset), end - start);
	memcpy(to + (start - offset), (const uint8_t *)bytes + (start - at), end - start);
	return 0;
}

int codectl_object_image_read(
	const struct codectl_object_image *image, uint64_t offset, void *to, size_t len)
{
	const struct codectl_skeleton *skeleton = &image->skeleton;
	int ret = 0;

	memset(to, 0, len);
	copy_part(offset, to, len, 0, skeleton->headers_len, 0, skeleton->headers);
	for (size_t i = 0; ret == 0 && i < skeleton->piece_count; i++) {
		const struct codectl_skeleton_piece *piece = &skeleton->pieces[i];

		if (piece->type != SHT_NOBITS)
			ret = copy_part(
				offset, to, len, piece->offset, piece->size, piece->source, NULL);
	}
	return ret;
}

void codectl_object_image_close(struct codectl_object_image *image)
{
	if (image->symbols)
		munmap(image->symbols, image->symbols_size);
	image->symbols = NULL;
}
