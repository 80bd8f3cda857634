/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "comp/time-range.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NS INT64_C(1000000000)

/* Reads ".123", which may be missing, to the end of the text. */
static int read_fraction(const char *text, int64_t *nanoseconds)
{
	int64_t unit = NS / 10;

	*nanoseconds = 0;
	if (*text == '\0')
		return 0;
	if (*text != '.' || !isdigit((unsigned char)text[1]))
		return -EINVAL;
	for (text++; isdigit((unsigned char)*text) && unit > 0; text++, unit /= 10)
		*nanoseconds += (*text - '0') * unit;
	return *text == '\0' ? 0 : -EINVAL;
}

static bool is_time(const struct tm *time)
{
	return time->tm_hour >= 0 && time->tm_hour < 24 && time->tm_min >= 0 && time->tm_min < 60 &&
	       time->tm_sec >= 0 && time->tm_sec < 60;
}

static int read_time(const char *text, struct tm *time, int64_t *fraction)
{
	int used = 0;

	*fraction = 0;
	if (sscanf(text, "%2d:%2d:%2d%n", &time->tm_hour, &time->tm_min, &time->tm_sec, &used) ==
			3 &&
		used)
		return is_time(time) ? read_fraction(text + used, fraction) : -EINVAL;
	used = 0;
	time->tm_sec = 0;
	if (sscanf(text, "%2d:%2d%n", &time->tm_hour, &time->tm_min, &used) != 2 || text[used])
		return -EINVAL;
	return is_time(time) ? 0 : -EINVAL;
}

static int read_seconds(const char *text, int64_t *nanoseconds)
{
	int64_t fraction;
	char *rest;

	errno = 0;
	long long seconds = strtoll(text, &rest, 10);
	if (errno || rest == text || seconds < 0 || seconds >= INT64_MAX / NS ||
		read_fraction(rest, &fraction) < 0)
		return -EINVAL;
	*nanoseconds = seconds * NS + fraction;
	return 0;
}

int codectl_time_bound_read(struct codectl_time_bound *bound, const char *text)
{
	struct tm date = {.tm_isdst = -1};
	int64_t fraction;
	int used = 0;

	*bound = (struct codectl_time_bound){.is_set = true, .has_date = true};
	if (!strchr(text, ':'))
		return read_seconds(text, &bound->nanoseconds);
	if (sscanf(text, "%4d-%2d-%2d %n", &date.tm_year, &date.tm_mon, &date.tm_mday, &used) ==
			3 &&
		used) {
		date.tm_year -= 1900;
		date.tm_mon--;
		if (read_time(text + used, &date, &fraction) < 0)
			return -EINVAL;
		bound->nanoseconds = (int64_t)mktime(&date) * NS + fraction;
		return 0;
	}
	bound->has_date = false;
	if (read_time(text, &date, &fraction) < 0)
		return -EINVAL;
	bound->nanoseconds = ((date.tm_hour * 60 + date.tm_min) * 60 + date.tm_sec) * NS + fraction;
	return 0;
}

/* The day is that of @now. */
static void set_date(struct codectl_time_bound *bound, int64_t now)
{
	time_t seconds = now / NS;
	struct tm date;

	if (!bound->is_set || bound->has_date)
		return;
	localtime_r(&seconds, &date);
	date.tm_hour = date.tm_min = date.tm_sec = 0;
	date.tm_isdst = -1;
	bound->nanoseconds += (int64_t)mktime(&date) * NS;
	bound->has_date = true;
}

static bool is_before(const struct codectl_time_range *range, int64_t time)
{
	return range->begin.is_set && time < range->begin.nanoseconds;
}

static bool is_after(const struct codectl_time_range *range, int64_t time)
{
	return range->end.is_set && time > range->end.nanoseconds;
}

/* What has no time is wanted. */
static bool get_time(const bt_clock_snapshot *snapshot, int64_t *time)
{
	return snapshot && bt_clock_snapshot_get_ns_from_origin(snapshot, time) ==
				   BT_CLOCK_SNAPSHOT_GET_NS_FROM_ORIGIN_STATUS_OK;
}

static bool has_event(struct codectl_time_range *range, const bt_message *message)
{
	const bt_event *event = bt_message_event_borrow_event_const(message);
	int64_t time;

	if (!bt_stream_class_borrow_default_clock_class_const(
		    bt_stream_borrow_class_const(bt_event_borrow_stream_const(event))) ||
		!get_time(bt_message_event_borrow_default_clock_snapshot_const(message), &time))
		return true;
	set_date(&range->begin, time);
	set_date(&range->end, time);
	return !is_before(range, time) && !is_after(range, time);
}

static bool has_span(const struct codectl_time_range *range, const bt_clock_snapshot *begin,
	const bt_clock_snapshot *end)
{
	int64_t begin_time, end_time;

	if (!get_time(begin, &begin_time) || !get_time(end, &end_time))
		return true;
	return !is_before(range, end_time) && !is_after(range, begin_time);
}

bool codectl_time_range_has(struct codectl_time_range *range, const bt_message *message)
{
	if (!range->begin.is_set && !range->end.is_set)
		return true;
	switch (bt_message_get_type(message)) {
	case BT_MESSAGE_TYPE_EVENT:
		return has_event(range, message);
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		if (!bt_stream_class_discarded_events_have_default_clock_snapshots(
			    bt_stream_borrow_class_const(
				    bt_message_discarded_events_borrow_stream_const(message))))
			return true;
		return has_span(range,
			bt_message_discarded_events_borrow_beginning_default_clock_snapshot_const(
				message),
			bt_message_discarded_events_borrow_end_default_clock_snapshot_const(
				message));
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		if (!bt_stream_class_discarded_packets_have_default_clock_snapshots(
			    bt_stream_borrow_class_const(
				    bt_message_discarded_packets_borrow_stream_const(message))))
			return true;
		return has_span(range,
			bt_message_discarded_packets_borrow_beginning_default_clock_snapshot_const(
				message),
			bt_message_discarded_packets_borrow_end_default_clock_snapshot_const(
				message));
	default:
		return true;
	}
}
