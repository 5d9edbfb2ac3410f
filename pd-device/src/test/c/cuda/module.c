// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
//
// Modules. Their text is not compiled: it is only looked at for the kernel that kernel.c has in C.
#include "cuda.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENTRY ".entry"
#define LANE_KERNEL "copy_lane"

// Options of a load, and the last one that a driver knows.
enum option { INFO_LOG = 3, INFO_LOG_SIZE = 4, ERROR_LOG = 5, ERROR_LOG_SIZE = 6, LAST_OPTION = 30 };

static bool is_identifier(char c) {
    return isalnum((unsigned char) c) || c == '_' || c == '$';
}

static bool has_entry(const char *text, const char *name) {
    size_t length = strlen(name);
    for (const char *at = text; (at = strstr(at, ENTRY)); at++) {
        const char *found = at + strlen(ENTRY);
        const char *start = found + strspn(found, " \t\r\n");
        if (start > found && !strncmp(start, name, length) && !is_identifier(start[length])) {
            return true;
        }
    }
    return false;
}

// The first line that is neither blank nor a comment.
static const char *first_statement(const char *text) {
    for (;;) {
        text += strspn(text, " \t\r\n");
        if (strncmp(text, "//", 2)) {
            return text;
        }
        text += strcspn(text, "\n");
    }
}

// What is wrong with a text; NULL if nothing is.
static const char *complaint(const char *text) {
    if (strncmp(first_statement(text), ".version", strlen(".version"))) {
        return "ptxas fatal   : Missing .version directive at start of file";
    }
    return has_entry(text, LANE_KERNEL) ? NULL : "ptxas fatal   : no entry " LANE_KERNEL;
}

// Writes a log where the options want it. The driver then sets the option of its size to what was written.
static void write_log(const char *line, unsigned count, const int *options, void **values, int log, int log_size) {
    char *buffer = NULL;
    size_t size = 0;
    unsigned size_at = count;
    for (unsigned i = 0; i < count; i++) {
        if (options[i] == log) {
            buffer = values[i];
        } else if (options[i] == log_size) {
            size = (unsigned) (uintptr_t) values[i];
            size_at = i;
        }
    }
    if (size_at == count) {
        return;
    }
    size_t written = 0;
    if (buffer && size) {
        snprintf(buffer, size, "%s", line);
        written = strlen(buffer);
    }
    values[size_at] = (void *) written;
}

static int load(struct context *context, handle *module, const char *text) {
    struct module *made = calloc(1, sizeof *made);
    char *copy = strdup(text);
    if (!made || !copy) {
        free(made);
        free(copy);
        return OUT_OF_MEMORY;
    }
    made->text = copy;
    add(&made->object, MODULE, context);
    *module = made->object.handle;
    return SUCCESS;
}

EXPORT int cuModuleLoadDataEx(handle *module, const void *text, unsigned count, int *options, void **values) {
    struct context *context;
    int result = enter(&context);
    if (result) {
        return result;
    }
    if (!module || !text || (count && (!options || !values))) {
        return leave(INVALID_VALUE);
    }
    for (unsigned i = 0; i < count; i++) {
        if (options[i] < 0 || options[i] > LAST_OPTION) {
            return leave(INVALID_VALUE);
        }
    }
    const char *wrong = complaint(text);
    write_log("", count, options, values, INFO_LOG, INFO_LOG_SIZE);
    write_log(wrong ? wrong : "", count, options, values, ERROR_LOG, ERROR_LOG_SIZE);
    return leave(wrong ? INVALID_PTX : load(context, module, text));
}

EXPORT int cuModuleLoadData(handle *module, const void *text) {
    return cuModuleLoadDataEx(module, text, 0, NULL, NULL);
}

static struct function *function_of(struct context *context, handle module) {
    for (struct object *o = first_of(context, FUNCTION); o; o = o->next) {
        if (o->kind == FUNCTION && ((struct function *) o)->module == module) {
            return (struct function *) o;
        }
    }
    return NULL;
}

EXPORT int cuModuleUnload(handle module) {
    struct context *context;
    int result = enter(&context);
    if (result) {
        return result;
    }
    struct module *found = find_in(context, module, MODULE);
    if (!found) {
        return leave(INVALID_HANDLE);
    }
    struct function *function;
    while ((function = function_of(context, module))) {
        take_out(&function->object);
        free(function);
    }
    take_out(&found->object);
    free(found->text);
    free(found);
    return leave(SUCCESS);
}

EXPORT int cuModuleGetFunction(handle *function, handle module, const char *name) {
    struct context *context;
    int result = enter(&context);
    if (result) {
        return result;
    }
    if (!function || !name) {
        return leave(INVALID_VALUE);
    }
    struct module *found = find_in(context, module, MODULE);
    if (!found) {
        return leave(INVALID_HANDLE);
    }
    if (!*name || !has_entry(found->text, name)) {
        return leave(NOT_FOUND);
    }
    struct function *made = calloc(1, sizeof *made);
    if (!made) {
        return leave(OUT_OF_MEMORY);
    }
    made->module = module;
    made->copies_lane = !strcmp(name, LANE_KERNEL);
    add(&made->object, FUNCTION, context);
    *function = made->object.handle;
    return leave(SUCCESS);
}
