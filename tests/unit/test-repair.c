/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "lib/fixture.h"
#include "lib/tap.h"

#include "cli/repair.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define PACKET_SIZE 4096

/* LTTng's packet header and the begin of its context, and something to know it by. */
struct packet {
	uint32_t magic;
	uint8_t uuid[16];
	uint32_t stream_id;
	uint64_t instance, begin, end, content_size, packet_size;
	uint64_t number;
	uint8_t rest[PACKET_SIZE - 72];
};
_Static_assert(sizeof(struct packet) == PACKET_SIZE, "");

static struct packet make_packet(uint64_t number)
{
	return (struct packet){
		.magic = 0xc1fc1fc1,
		.uuid = "0123456789abcde",
		.content_size = 8 * 1000,
		.packet_size = 8 * PACKET_SIZE,
		.number = number,
	};
}

/* A trace with a stream of @len bytes, its index, and metadata of one packet and a piece. */
static void make_trace(const void *stream, size_t len, size_t metadata_len)
{
	uint32_t metadata[32] = {0x75d11d57};

	metadata[6] = 8 * 60;
	metadata[7] = 8 * 64;
	metadata[16] = 0x75d11d57;
	metadata[22] = 8 * 60;
	metadata[23] = 8 * 64;
	FIXTURE_RUN("mkdir -p trace/index");
	fixture_write("trace/metadata", metadata, metadata_len);
	fixture_write("trace/stream", stream, len);
	fixture_write("trace/index/stream.idx", "index", 5);
}

static uint64_t repair(void)
{
	uint64_t cut;

	CHECK(codectl_repair_traces(fixture_dir(), &cut) == 0);
	return cut;
}

/* The numbers of the packets of the stream, as decimal digits. */
static uint64_t read_numbers(void)
{
	size_t len;
	char *stream = fixture_read("trace/stream", &len);
	uint64_t numbers = 0;

	CHECK_INT(len % PACKET_SIZE, 0);
	for (size_t at = 0; at < len; at += PACKET_SIZE) {
		struct packet packet;

		memcpy(&packet, stream + at, sizeof(packet));
		CHECK_INT(packet.magic, 0xc1fc1fc1);
		numbers = numbers * 10 + packet.number;
	}
	free(stream);
	return numbers;
}

TEST(whole_trace_stays)
{
	struct packet packets[2] = {make_packet(1), make_packet(2)};

	make_trace(packets, sizeof(packets), 64);
	CHECK_INT(repair(), 0);
	CHECK_INT(read_numbers(), 12);
	CHECK(fixture_try("test -s trace/index/stream.idx"));
}

TEST(half_a_packet_at_the_end_goes)
{
	for (size_t piece = 1; piece < PACKET_SIZE; piece += 517) {
		struct packet packets[3] = {make_packet(1), make_packet(2), make_packet(3)};

		make_trace(packets, 2 * PACKET_SIZE + piece, 64);
		CHECK_INT(repair(), piece);
		CHECK_INT(read_numbers(), 12);
		CHECK(fixture_try("test ! -e trace/index/stream.idx"));
	}
}

TEST(whole_packets_behind_half_ones_stay)
{
	for (size_t piece = 0; piece < PACKET_SIZE; piece += 517) {
		const struct packet packets[5] = {make_packet(1), make_packet(2), make_packet(3),
			make_packet(4), make_packet(5)};
		char *stream = malloc(sizeof(packets));

		/* 1, half of 2, 3, half of 4, 5. */
		memcpy(stream, packets, PACKET_SIZE + piece);
		memcpy(stream + PACKET_SIZE + piece, &packets[2], PACKET_SIZE + piece);
		memcpy(stream + 2 * PACKET_SIZE + 2 * piece, &packets[4], PACKET_SIZE);
		make_trace(stream, 3 * PACKET_SIZE + 2 * piece, 64);
		free(stream);
		CHECK_INT(repair(), 2 * piece);
		CHECK_INT(read_numbers(), 135);
	}
}

/* Half a packet that is followed by just as many bytes as it lacks. */
TEST(half_a_packet_that_looks_whole)
{
	for (size_t behind = 0; behind < 3; behind++) {
		struct packet packets[5] = {make_packet(1), make_packet(2), make_packet(3),
			make_packet(4), make_packet(5)};

		packets[1].packet_size *= 2;
		make_trace(packets, (3 + behind) * PACKET_SIZE, 64);
		CHECK_INT(repair(), PACKET_SIZE);
		CHECK_INT(read_numbers(), behind == 0 ? 13 : behind == 1 ? 134 : 1345);
	}
}

TEST(nothing_but_half_a_packet)
{
	struct packet packet = make_packet(1);

	make_trace(&packet, 100, 64);
	CHECK_INT(repair(), 100);
	make_trace(&packet, 7, 64);
	CHECK_INT(repair(), 7);
}

TEST(half_a_packet_of_metadata_goes)
{
	struct packet packet = make_packet(1);

	make_trace(&packet, sizeof(packet), 128);
	CHECK_INT(repair(), 0);
	make_trace(&packet, sizeof(packet), 127);
	CHECK_INT(repair(), 63);
}

/* A trace of empty packets, whose metadata says @text. */
static void make_empty_trace(const char *text, uint64_t content)
{
	struct packet packets[2] = {make_packet(1), make_packet(2)};
	struct {
		uint32_t header[8];
		char text[64];
	} metadata = {
		.header = {0x75d11d57, [6] = 8 * sizeof(metadata), [7] = 8 * sizeof(metadata)}};

	packets[0].content_size = 8 * 84;
	packets[1].content_size = 8 * content;
	make_trace(packets, sizeof(packets), 64);
	stpcpy(metadata.text, text);
	fixture_write("trace/metadata", &metadata, sizeof(metadata));
}

TEST(empty_streams_that_nothing_describes_go)
{
	make_empty_trace("trace { };", 84);
	CHECK_INT(repair(), 0);
	CHECK(fixture_try("test ! -s trace/stream && test -s trace/metadata"));
	/* An event, or a description. */
	make_empty_trace("trace { };", 90);
	CHECK_INT(repair(), 0);
	CHECK_INT(read_numbers(), 12);
	make_empty_trace("trace { };\n\nstream { id = 0; };", 84);
	CHECK_INT(repair(), 0);
	CHECK_INT(read_numbers(), 12);
}

TEST(files_of_others_stay)
{
	static const char text[] = "not LTTng's, and no multiple of anything";

	make_trace(text, sizeof(text), 64);
	CHECK_INT(repair(), 0);
	CHECK(fixture_try("test -s trace/index/stream.idx"));
}

/* A packet whose size makes no sense neither loops nor takes the next one with it. */
TEST(senseless_sizes)
{
	static const uint64_t sizes[] = {0, 8, 12, UINT64_MAX, UINT64_MAX - 7, 16 * PACKET_SIZE};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct packet packets[3] = {make_packet(1), make_packet(2), make_packet(3)};

		packets[1].packet_size = sizes[i];
		make_trace(packets, sizeof(packets), 64);
		CHECK_INT(repair(), PACKET_SIZE);
		CHECK_INT(read_numbers(), 13);
	}
}
