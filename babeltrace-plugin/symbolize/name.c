/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "symbolize/name.h"

#include "symbolize/rust-name.h"
#include "symbolize/rust-v0.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * What is expanded grows at most by 3^(references / 3), and then by the longest
 * abbreviation of the runtime: some tens of megabytes in the worst case.
 */
#define MANGLED_LEN_MAX	       1024
#define MANGLED_REFERENCES_MAX 20

/* The Itanium C++ ABI, 3.4: returns a string of malloc(), or NULL. */
typedef char *(*demangle_function)(const char *mangled, char *output, size_t *len, int *status);

static demangle_function find_demangler(void)
{
	static const char *const libraries[] = {"libstdc++.so.6", "libc++abi.so.1"};
	static demangle_function demangler;
	static bool is_tried;

	/* Stays open for good: another user may have opened it, too. */
	for (size_t i = 0; !is_tried && !demangler && i < 2; i++) {
		void *library = dlopen(libraries[i], RTLD_LAZY | RTLD_LOCAL);

		if (library)
			demangler = (demangle_function)dlsym(library, "__cxa_demangle");
	}
	is_tried = true;
	return demangler;
}

/* References to parts of the name before are S_, S0_ …, and to template arguments T_, T0_ … */
static bool is_tame(const char *mangled)
{
	size_t references = 0;

	for (const char *at = mangled; *at; at++) {
		const char *digit = at + 1;

		if (*at != 'S' && *at != 'T')
			continue;
		while (isdigit((unsigned char)*digit) || isupper((unsigned char)*digit))
			digit++;
		references += *digit == '_';
	}
	return references <= MANGLED_REFERENCES_MAX && strlen(mangled) <= MANGLED_LEN_MAX;
}

/* Returns an owned string, or NULL if it is no name of C++ or Rust. */
static char *demangle(const char *mangled)
{
	demangle_function demangler;
	char *demangled;
	int status;

	if (!strncmp(mangled, "_R", 2))
		return codectl_rust_v0_demangle(mangled);
	/* Other names would be taken for types: i for int. */
	if (strncmp(mangled, "_Z", 2) != 0 || !is_tame(mangled))
		return NULL;
	demangler = find_demangler();
	demangled = demangler ? demangler(mangled, NULL, NULL, &status) : NULL;
	if (demangled && codectl_rust_name_is_legacy(mangled))
		codectl_rust_name_clean(demangled);
	return demangled;
}

const char *codectl_name_show(struct codectl_name *name)
{
	size_t len = strcspn(name->text, "@");
	char *shown, *plain, *stub;

	if (name->is_shown)
		return name->text;
	if (!name->is_plt_stub && !name->text[len] && strncmp(name->text, "_Z", 2) != 0 &&
		strncmp(name->text, "_R", 2) != 0) {
		name->is_shown = true;
		return name->text;
	}
	plain = strndup(name->text, len);
	shown = plain ? demangle(plain) : NULL;
	if (shown)
		free(plain);
	else
		shown = plain;
	if (shown && name->is_plt_stub) {
		stub = asprintf(&stub, "%s@plt", shown) < 0 ? NULL : stub;
		free(shown);
		shown = stub;
	}
	if (!shown)
		return NULL;
	name->text = shown;
	name->is_owned = name->is_shown = true;
	return shown;
}

void codectl_name_fini(struct codectl_name *name)
{
	if (name->is_owned)
		free((char *)name->text);
	*name = (struct codectl_name){0};
}
