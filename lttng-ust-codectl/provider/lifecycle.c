/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * Constructor, destructor and fork handler of the provider. This unit comes
 * last in the library: LTTng's constructors in the units before it have run
 * when its own does, and its destructor runs before theirs.
 */
#include "provider/lifecycle.h"

#include "provider/emit.h"
#include "provider/helper-thread.h"
#include "provider/helper.h"
#include "provider/image.h"
#include "provider/log.h"
#include "provider/registry.h"
#include "provider/statedump.h"

#include <errno.h>
#include <pthread.h>
#include <unwind.h>

/*
 * At exit, LTTng-UST cancels its threads, for which the C library loads libgcc_s;
 * in a chroot, or a sandbox, it cannot, and aborts. So we need it as well, and it
 * is there from the start.
 */
__attribute__((used)) static void *const unwinder = (void *)_Unwind_Backtrace;

/* How long the host's exit waits for a thread that is just registering something. */
#define EXIT_WAIT_NS 200000000

/* Says nothing for ever if another process was chosen to be the only one. */
static void close_if_left_out(void)
{
	int32_t only_pid = codectl_provider_borrow_env()->only_pid;

	if (only_pid && only_pid != codectl_image_vpid())
		codectl_image_close();
}

void codectl_lifecycle_enter_child(void)
{
	codectl_image_begin_child();
	close_if_left_out();
	codectl_registry_after_fork();
	codectl_statedump_after_fork();
	codectl_helper_after_fork();
}

static void on_fork_child(void)
{
	int saved_errno = errno;

	codectl_lifecycle_enter_child();
	errno = saved_errno;
}

__attribute__((constructor)) static void construct(void)
{
	int saved_errno = errno;

	codectl_image_begin();
	close_if_left_out();
	/*
	 * No handler for the parent's side: at that time the forking thread may
	 * hold LTTng's locks (liblttng-ust-fork), so it must not wait for ours.
	 * What other threads hold is made anew in the child.
	 */
	if (pthread_atfork(NULL, NULL, on_fork_child))
		codectl_log_debug("Cannot set the fork handler", NULL, 0);

	int ret = codectl_statedump_start();

	if (ret)
		codectl_log_debug("Cannot hook LTTng's state dump", "error", ret);
	codectl_helper_begin();
	errno = saved_errno;
}

__attribute__((destructor)) static void destruct(void)
{
	sigset_t saved_mask;
	int saved_errno = errno;

	/* A child of vfork() that calls exit() is in its parent's memory. */
	if (!codectl_image_is_own())
		return;
	codectl_helper_finish();
	if (codectl_registry_lock_timed(&saved_mask, EXIT_WAIT_NS)) {
		codectl_image_close();
		codectl_registry_unlock(&saved_mask);
	} else {
		codectl_emit_keep_tracepoints();
	}
	errno = saved_errno;
}
