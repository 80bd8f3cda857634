/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "cli/repair.h"

#include "cli/traces.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define STREAM_MAGIC   0xc1fc1fc1u
#define METADATA_MAGIC 0x75d11d57u
#define UUID_SIZE      16
#define CHUNK_SIZE     65536

/* How LTTng begins the packets of its streams, in the byte order of the machine. */
struct stream_packet {
	uint32_t magic;
	uint8_t uuid[UUID_SIZE];
	uint32_t stream_id;
	uint64_t stream_instance_id;
	uint64_t timestamp_begin;
	uint64_t timestamp_end;
	uint64_t content_size; /* Bits, as the next. */
	uint64_t packet_size;
	uint64_t packet_seq_num;
};
_Static_assert(sizeof(struct stream_packet) == 72, "the layout is LTTng's");

/* What a packet without events holds: behind that, LTTng's count of lost events and the CPU. */
#define EMPTY_CONTENT (sizeof(struct stream_packet) + sizeof(uint64_t) + sizeof(uint32_t))

/* And those of its metadata, packed. */
struct metadata_packet {
	uint32_t magic;
	uint8_t uuid[UUID_SIZE];
	uint32_t checksum;
	uint32_t content_size; /* Bits, as the next. */
	uint32_t packet_size;
};
_Static_assert(sizeof(struct metadata_packet) == 32, "the layout is LTTng's");

/* What all packets of a trace begin with. */
struct packet_begin {
	uint32_t magic;
	uint8_t uuid[UUID_SIZE];
};

struct file {
	int fd;
	bool is_metadata;
	uint64_t size;
	struct packet_begin begin; /* Of its first packet. */
};

/* Whether it begins as LTTng's files do; else it is somebody else's. */
static bool read_begin(struct file *file)
{
	return pread(file->fd, &file->begin, sizeof(file->begin), 0) >=
		       (ssize_t)sizeof(file->begin.magic) &&
	       file->begin.magic == (file->is_metadata ? METADATA_MAGIC : STREAM_MAGIC);
}

struct packet {
	uint64_t size;	  /* Bytes, as the next. */
	uint64_t content; /* With the header. */
	uint64_t number;  /* 0 if its kind has none. */
};

/*
 * Whether a packet of this trace begins at @offset, as far as the file goes; @packet
 * is set if its header is there and makes sense.
 */
static bool read_header(const struct file *file, uint64_t offset, struct packet *packet)
{
	union {
		struct stream_packet stream;
		struct metadata_packet metadata;
	} header;
	const size_t header_size = file->is_metadata ? sizeof(header.metadata)
						     : sizeof(header.stream);
	const ssize_t len = pread(file->fd, &header, header_size, (off_t)offset);

	*packet = (struct packet){0};
	if (len <= 0 ||
		memcmp(&header, &file->begin,
			(size_t)len < sizeof(file->begin) ? (size_t)len : sizeof(file->begin)))
		return false;
	if (len != (ssize_t)header_size)
		return true;

	const uint64_t content = file->is_metadata ? header.metadata.content_size
						   : header.stream.content_size;
	const uint64_t size = file->is_metadata ? header.metadata.packet_size
						: header.stream.packet_size;

	if (size % 8 || size / 8 < header_size || content > size)
		return true;
	packet->size = size / 8;
	packet->content = content / 8;
	packet->number = file->is_metadata ? 0 : header.stream.packet_seq_num;
	return true;
}

/* Where the next packet begins from @offset on; @end if none does before. */
static uint64_t find_header(const struct file *file, uint64_t offset, uint64_t end)
{
	const uint32_t magic = file->begin.magic;
	struct packet packet;
	uint8_t chunk[4096];

	while (offset < end) {
		ssize_t len = pread(file->fd, chunk, sizeof(chunk), (off_t)offset);

		if (len < (ssize_t)sizeof(magic))
			break;
		for (size_t i = 0; i + sizeof(magic) <= (size_t)len && offset + i < end; i++) {
			if (!memcmp(chunk + i, &magic, sizeof(magic)) &&
				read_header(file, offset + i, &packet))
				return offset + i;
		}
		/* A magic number may lie across the end of the chunk. */
		offset += (size_t)len - (sizeof(magic) - 1);
	}
	return end;
}

/*
 * The size of the whole packet at @offset; 0 if there is none. The bytes of half
 * a packet may be followed by others, so that it looks whole: but then a packet
 * begins within, and what follows is not the next one by number.
 */
static uint64_t whole_packet_at(const struct file *file, uint64_t offset)
{
	struct packet packet, next;

	if (!read_header(file, offset, &packet) || !packet.size ||
		packet.size > file->size - offset)
		return 0;

	const uint64_t end = offset + packet.size;

	if (end < file->size) {
		if (!read_header(file, end, &next))
			return 0;
		if (next.size && packet.number && next.number == packet.number + 1)
			return packet.size;
	}
	return find_header(file, offset + 1, end) == end ? packet.size : 0;
}

/* Moves @len bytes towards the begin of the file. */
static int move_down(const struct file *file, uint64_t from, uint64_t to, uint64_t len)
{
	char *chunk = malloc(CHUNK_SIZE);
	int ret = chunk ? 0 : -ENOMEM;

	errno = 0;
	while (ret == 0 && len > 0) {
		const size_t want = len < CHUNK_SIZE ? (size_t)len : CHUNK_SIZE;

		if (pread(file->fd, chunk, want, (off_t)from) != (ssize_t)want ||
			pwrite(file->fd, chunk, want, (off_t)to) != (ssize_t)want)
			ret = errno ? -errno : -EIO;
		from += want;
		to += want;
		len -= want;
	}
	free(chunk);
	return ret;
}

/* Returns 0 with the number of bytes that were cut out, or a negative errno. */
static int repair_file(struct file *file, uint64_t *cut)
{
	uint64_t from = 0, to = 0;

	*cut = 0;
	if (!read_begin(file))
		return 0;
	while (from < file->size) {
		const uint64_t size = whole_packet_at(file, from);

		if (!size) {
			from = find_header(file, from + 1, file->size);
			continue;
		}
		if (from != to) {
			int ret = move_down(file, from, to, size);

			if (ret)
				return ret;
		}
		from += size;
		to += size;
	}
	*cut = file->size - to;
	return *cut && ftruncate(file->fd, (off_t)to) < 0 ? -errno : 0;
}

/* Opens it for both; what is not a file becomes one without content. Returns 0 or -errno. */
static int open_file(int directory, const char *name, struct file *file)
{
	struct stat status;

	*file = (struct file){
		.fd = openat(directory, name, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK),
		.is_metadata = !strcmp(name, "metadata"),
	};
	if (file->fd < 0)
		return -errno;
	if (fstat(file->fd, &status) < 0) {
		const int ret = -errno;

		close(file->fd);
		return ret;
	}
	file->size = S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0;
	return 0;
}

static int repair_entry(int directory, const char *name, uint64_t *cut)
{
	char index[NAME_MAX + sizeof("index/.idx")];
	struct file file;
	uint64_t bytes = 0;
	int ret = open_file(directory, name, &file);

	if (ret)
		return ret == -EISDIR ? 0 : ret;
	ret = repair_file(&file, &bytes);
	close(file.fd);
	if (bytes) {
		snprintf(index, sizeof(index), "index/%s.idx", name);
		unlinkat(directory, index, 0);
	}
	*cut += bytes;
	return ret;
}

/* Calls @work for all entries. Returns the first error of any, or 0. */
static int for_each_entry(const char *path,
	int (*work)(int directory, const char *name, uint64_t *cut), uint64_t *cut)
{
	DIR *directory = opendir(path);
	const struct dirent *entry;
	int ret = 0;

	if (!directory)
		return -errno;
	while ((entry = readdir(directory))) {
		if (*entry->d_name == '.')
			continue;

		int entry_ret = work(dirfd(directory), entry->d_name, cut);

		if (!ret)
			ret = entry_ret;
	}
	closedir(directory);
	return ret;
}

/* Whether the metadata may describe streams: if it cannot be read, it is not for us to say. */
static bool declares_streams(const char *path)
{
	static const char declaration[] = "stream {";
	char name[PATH_MAX];
	char *text = NULL;
	size_t size = 0;
	FILE *metadata;
	bool answer = false;

	if (snprintf(name, sizeof(name), "%s/metadata", path) >= (int)sizeof(name))
		return true;
	metadata = fopen(name, "re");
	if (!metadata)
		return true;
	/* Text has no zeros, the headers of its packets have. */
	while (!answer && getdelim(&text, &size, '\0', metadata) >= 0)
		answer = strstr(text, declaration) != NULL;
	free(text);
	fclose(metadata);
	return answer;
}

static int drop_empty_entry(int directory, const char *name, uint64_t *cut)
{
	struct packet packet;
	struct file file;
	uint64_t offset = 0;
	int ret = open_file(directory, name, &file);

	(void)cut;
	if (ret)
		return ret == -EISDIR ? 0 : ret;
	if (!file.is_metadata && read_begin(&file)) {
		while (offset < file.size && read_header(&file, offset, &packet) && packet.size &&
			packet.content <= EMPTY_CONTENT)
			offset += packet.size;
		if (offset == file.size && ftruncate(file.fd, 0) < 0)
			ret = -errno;
	}
	close(file.fd);
	return ret;
}

/*
 * LTTng describes a stream once the first program has answered its session daemon. If that
 * program ended before, readers refuse the trace for packets of a stream they do not know,
 * though nothing is in them.
 */
static int repair_trace(const char *path, uint64_t *cut)
{
	const int ret = for_each_entry(path, repair_entry, cut);

	return ret || declares_streams(path) ? ret : for_each_entry(path, drop_empty_entry, cut);
}

int codectl_repair_traces(const char *directory, uint64_t *cut)
{
	struct codectl_traces traces;
	int ret = codectl_traces_find(&traces, directory);

	*cut = 0;
	if (ret < 0)
		return ret;
	for (size_t i = 0; i < traces.count; i++) {
		int trace_ret = repair_trace(traces.paths[i], cut);

		if (!ret)
			ret = trace_ret;
	}
	codectl_traces_fini(&traces);
	return ret;
}
