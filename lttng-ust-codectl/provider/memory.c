/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "provider/memory.h"

#include "provider/export.h"
#include "provider/helper.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* The smallest page: what is readable at one of its bytes is so at all of them. */
#define PAGE_BYTES 4096

/* Bytes of the structures that codectl() is called with. */
#define ARGUMENT_MAX 256

/*
 * Whether the page of @address can be read, without process_vm_readv(). The
 * kernel reads the new mask before it looks at `how`, which is invalid, so
 * nothing is changed. Not at the page's start: a NULL mask is not read.
 */
static bool is_page_readable(uint64_t address)
{
	uint64_t word = (address & ~(uint64_t)(PAGE_BYTES - 1)) + 8;
	long ret = syscall(
		SYS_rt_sigprocmask, -1, (void *)(uintptr_t)word, NULL, (size_t)(_NSIG / 8));

	return ret == 0 || errno != EFAULT;
}

/* Not memcpy(): AddressSanitizer would object to what a caller of ours claims. */
__attribute__((no_sanitize("address"))) static void copy_bytes(
	uint8_t *to, const volatile uint8_t *from, size_t len)
{
	for (size_t i = 0; i < len; i++)
		to[i] = from[i];
}

/* For processes whose system calls are filtered. A page that goes away meanwhile is not caught. */
static int read_checked(uint64_t address, void *to, size_t len)
{
	uint64_t last = address + (len - 1);

	for (uint64_t page = address; page <= last;) {
		if (!is_page_readable(page))
			return -EFAULT;
		page = (page & ~(uint64_t)(PAGE_BYTES - 1)) + PAGE_BYTES;
		if (page == 0)
			break;
	}
	copy_bytes(to, (const volatile uint8_t *)(uintptr_t)address, len);
	return 0;
}

/* The process has no memory by its pid once its first thread has ended. */
static pid_t own_task(void)
{
	return (pid_t)syscall(SYS_gettid);
}

CODECTL_EXPORT int codectl_provider_read_memory(uint64_t address, void *to, size_t len)
{
	struct iovec local = {.iov_base = to, .iov_len = len};
	struct iovec remote = {.iov_base = (void *)(uintptr_t)address, .iov_len = len};
	int saved_errno = errno;
	int ret = 0;

	if (len == 0)
		return 0;
	if (address == 0 || address + (len - 1) < address)
		return -EFAULT;

	ssize_t count = syscall(SYS_process_vm_readv, own_task(), &local, 1L, &remote, 1L, 0L);

	if (count < 0 && errno != EFAULT)
		ret = read_checked(address, to, len);
	else if (count != (ssize_t)len)
		ret = -EFAULT;
	errno = saved_errno;
	return ret;
}

int codectl_memory_read_many(const uint64_t *addresses, size_t count, size_t len, void *to)
{
	struct iovec local = {.iov_base = to, .iov_len = count * len};
	struct iovec remote[CODECTL_MEMORY_MANY];
	int saved_errno = errno;

	for (size_t i = 0; i < count; i++)
		remote[i] = (struct iovec){
			.iov_base = (void *)(uintptr_t)addresses[i], .iov_len = len};

	ssize_t read_len = syscall(
		SYS_process_vm_readv, own_task(), &local, 1L, remote, (long)count, 0L);

	errno = saved_errno;
	return read_len == (ssize_t)(count * len) ? 0 : -EFAULT;
}

#define PARTS_MAX 8

int codectl_memory_read_parts(const struct codectl_memory_part *parts, size_t count)
{
	struct iovec local[PARTS_MAX], remote[PARTS_MAX];
	int saved_errno = errno;
	size_t len = 0;

	if (count > PARTS_MAX)
		return -EFAULT;
	for (size_t i = 0; i < count; i++) {
		local[i] = (struct iovec){.iov_base = parts[i].to, .iov_len = parts[i].len};
		remote[i] = (struct iovec){
			.iov_base = (void *)(uintptr_t)parts[i].address, .iov_len = parts[i].len};
		len += parts[i].len;
	}

	ssize_t done = len == 0 ? 0
				: syscall(SYS_process_vm_readv, own_task(), local, count, remote,
					  count, 0L);

	errno = saved_errno;
	return done == (ssize_t)len ? 0 : -EFAULT;
}

size_t codectl_memory_page_part(uint64_t address, size_t len)
{
	size_t left = PAGE_BYTES - (size_t)(address & (PAGE_BYTES - 1));

	return left < len ? left : len;
}

/*
 * Copies @len bytes that a caller of ours points to. process_vm_readv() pins pages,
 * which costs ten times as much as all else for small things. It is for memory
 * that others may unmap at any time; an argument goes away only by a mistake that
 * would hit any function with an argument.
 */
static int read_argument(uint64_t address, void *to, size_t len)
{
	int saved_errno = errno;
	int ret;

	if (len > ARGUMENT_MAX)
		return codectl_provider_read_memory(address, to, len);
	if (len == 0)
		return 0;
	if (address == 0 || address + (len - 1) < address)
		return -EFAULT;
	ret = read_checked(address, to, len);
	errno = saved_errno;
	return ret;
}

/*
 * Copies a part of a string that is within a page, up to its NUL. Returns whether
 * there was one; *@len is what was copied, without it.
 */
__attribute__((no_sanitize("address"))) static bool copy_string_part(
	char *to, const volatile char *from, size_t size, size_t *len)
{
	for (*len = 0; *len < size; ++*len) {
		to[*len] = from[*len];
		if (to[*len] == '\0')
			return true;
	}
	return false;
}

int codectl_memory_read_string(uint64_t address, char *to, size_t size)
{
	int saved_errno = errno;
	size_t len = 0;
	int ret = -ENAMETOOLONG;

	/* Page by page: the string may end right before memory that is not there. */
	while (len < size) {
		size_t part = codectl_memory_page_part(address + len, size - len);
		size_t part_len;

		if (address == 0 || address + len < address || !is_page_readable(address + len)) {
			ret = -EFAULT;
			break;
		}
		if (copy_string_part(to + len, (const volatile char *)(uintptr_t)(address + len),
			    part, &part_len)) {
			ret = (int)(len + part_len);
			break;
		}
		len += part;
	}
	errno = saved_errno;
	return ret;
}

int codectl_memory_is_zero(uint64_t address, size_t len)
{
	uint8_t bytes[256];

	while (len > 0) {
		size_t part = codectl_memory_page_part(
			address, len < sizeof(bytes) ? len : sizeof(bytes));

		if (codectl_provider_read_memory(address, bytes, part))
			return -EFAULT;
		for (size_t i = 0; i < part; i++) {
			if (bytes[i])
				return 0;
		}
		address += part;
		len -= part;
	}
	return 1;
}

int codectl_memory_copy_struct(void *to, size_t known, const void *from, size_t size)
{
	uint64_t address = (uintptr_t)from;
	size_t common = size < known ? size : known;

	if (size > common) {
		int is_zero = codectl_memory_is_zero(address + common, size - common);

		if (is_zero < 0)
			return is_zero;
		if (!is_zero)
			return -E2BIG;
	}
	memset(to, 0, known);
	return read_argument(address, to, common);
}
