// SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
// SPDX-License-Identifier: MIT
//
// RuntimeChurn COUNT FILE: classes that run one after the other, each for a
// moment, and are unloaded. They are copies of one class under other names.
// Writes a line for each into the file: its name, and when it began and ended to
// run, in ns of CLOCK_MONOTONIC.

import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.function.IntUnaryOperator;

public class RuntimeChurn {
	/** The class that is copied. */
	public static class Work_00000 implements IntUnaryOperator {
		static int inner(int s, int k) {
			return (s * 31 + k) % 1000003;
		}

		public int applyAsInt(int n) {
			int s = n;
			for (int k = 0; k < 2000; k++) {
				s = inner(s, k);
			}
			return s;
		}
	}

	static class Loader extends ClassLoader {
		Class<?> define(byte[] bytes) {
			return defineClass(null, bytes, 0, bytes.length);
		}
	}

	public static void main(String[] arguments) throws Exception {
		int count = Integer.parseInt(arguments[0]);
		byte[] original;
		int sum = 0;

		try (InputStream in = RuntimeChurn.class.getResourceAsStream("RuntimeChurn$Work_00000.class")) {
			original = in.readAllBytes();
		}
		try (PrintWriter log = new PrintWriter(arguments[1])) {
			for (int i = 0; i < count; i++) {
				String name = String.format("Work_%05d", i + 1);
				/* One byte for each character, so that nothing is lost; the names are equally long. */
				byte[] bytes = new String(original, StandardCharsets.ISO_8859_1)
					.replace("Work_00000", name).getBytes(StandardCharsets.ISO_8859_1);
				IntUnaryOperator work = (IntUnaryOperator) new Loader().define(bytes)
					.getDeclaredConstructor().newInstance();
				long start = System.nanoTime();
				long end = start;

				while (end - start < 10_000_000) {
					sum += work.applyAsInt(i);
					end = System.nanoTime();
				}
				log.printf("%s %d %d%n", name, start, end);
				if (i % 20 == 19) {
					System.gc();
				}
			}
		}
		System.out.println(sum != 1);
	}
}
