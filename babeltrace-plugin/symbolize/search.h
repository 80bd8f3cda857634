/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * symbolize/search.h: what is asked for, where it is looked for, and what can
 * come of it. Plain data. Any thread.
 */
#ifndef CODECTL_SYMBOLIZE_SEARCH_H
#define CODECTL_SYMBOLIZE_SEARCH_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct codectl_debuginfod;

/* Which kind of file could not be used. */
enum codectl_object_part {
	CODECTL_PART_OBJECT,	    /* The object itself. */
	CODECTL_PART_DEBUG_FILE,    /* Separate debug information. */
	CODECTL_PART_SUPPLEMENTARY, /* What dwz moved out of a debug file. */
	CODECTL_PART_SPLIT,	    /* Split DWARF: .dwo and .dwp. */
	CODECTL_PART_SECTION,	    /* A compressed section. */
	CODECTL_PART_DOWNLOAD,	    /* A file from a debuginfod server. */
	CODECTL_PART_COUNT
};

/* Something of an object that could not be used. All weak, during the call. */
struct codectl_object_note {
	enum codectl_object_part part;
	const char *pathname; /* Of the object, as the trace has it. */
	const char *what;     /* The file or section concerned. */
	const char *reason;
	bool is_normal; /* That it is so is no reason to worry. */
};

/*
 * Where files are looked for. Strings are weak and must outlive the users. The
 * build-id of the trace decides, so the order matters for speed and, where there
 * is no build-id, for the choice.
 */
struct codectl_object_search {
	/* Made by `codectl archive`: searched first, by build-id and by path. */
	const char *const *archives;
	size_t archive_count;
	/* Put before paths of the trace. With neither these nor archives, they are taken as they are. */
	const char *const *target_prefixes;
	size_t target_prefix_count;
	const char *const *debug_dirs; /* Like /usr/lib/debug. */
	size_t debug_dir_count;
	struct codectl_debuginfod
		*debuginfod; /* Asked for what is nowhere else; NULL: nobody is. */
	/* Is told what could not be used; once per object and part. May be NULL. */
	void (*tell)(void *user, const struct codectl_object_note *note);
	void *user;
};

/* What a trace says of an object. All weak. */
struct codectl_object_identity {
	const char *pathname; /* "" if unknown. */
	const uint8_t *build_id;
	size_t build_id_len;		 /* 0 if unknown. */
	const char *debug_link_pathname; /* "" if none. */
	uint32_t debug_link_crc;
	/*
	 * What the recorder saved of a file that it did not find; NULL: nothing. It is
	 * copied.
	 */
	const uint8_t *image;
	size_t image_len;
};

/* How looking for a file went. */
enum codectl_object_status {
	CODECTL_OBJECT_OK,
	CODECTL_OBJECT_NO_PATH,	     /* The trace has no path (or a pseudo path like [vdso]). */
	CODECTL_OBJECT_NOT_FOUND,    /* No such file. */
	CODECTL_OBJECT_NOT_READABLE, /* It exists, but opening or mapping it failed. */
	CODECTL_OBJECT_NOT_REGULAR,  /* A directory, FIFO, device … */
	CODECTL_OBJECT_LINK_LOOP,    /* Symbolic links lead in a circle. */
	CODECTL_OBJECT_NOT_ELF,
	CODECTL_OBJECT_ELF32,		  /* An ELF file for 32-bit programs. */
	CODECTL_OBJECT_BIG_ENDIAN,	  /* An ELF file for big-endian machines. */
	CODECTL_OBJECT_CHANGED,		  /* Somebody was writing to it. */
	CODECTL_OBJECT_BUILD_ID_MISMATCH, /* Another build than the one that ran. */
	CODECTL_OBJECT_CRC_MISMATCH,	  /* Not the file a debug link means. */
	CODECTL_OBJECT_NO_DEBUG_INFO,	  /* The right one, but there is nothing in it. */
	CODECTL_OBJECT_REPLACED,	  /* There is an image, and no build-id to tell by. */
	CODECTL_OBJECT_STATUS_COUNT
};

/* A text for messages: "no such file", "its build-id differs" … */
const char *codectl_object_status_text(enum codectl_object_status status);

/* The same of a part: "debug file" … */
const char *codectl_object_part_text(enum codectl_object_part part);

/*
 * Writes @path without slashes in front, empty parts, `.` and, lexically, `..`: it
 * stays below wherever it is looked for. Returns whether anything is left, and fits.
 */
bool codectl_search_shorten_path(const char *path, char shorter[static PATH_MAX - 1]);

#endif /* CODECTL_SYMBOLIZE_SEARCH_H */
