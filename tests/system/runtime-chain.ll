; SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
; SPDX-License-Identifier: MIT
;
; runtime-chain: three calls deep, for lli. No frame pointers, and a loop that
; no optimizer takes away.

define internal i64 @charlie(i64 %n) noinline {
entry:
  %sum = alloca i64
  store volatile i64 0, i64* %sum
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %old = load volatile i64, i64* %sum
  %new = add i64 %old, %i
  store volatile i64 %new, i64* %sum
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  %result = load volatile i64, i64* %sum
  ret i64 %result
}

define internal i64 @bravo(i64 %n) noinline {
  %r = call i64 @charlie(i64 %n)
  %s = add i64 %r, 1
  ret i64 %s
}

define internal i64 @alpha(i64 %n) noinline {
  %r = call i64 @bravo(i64 %n)
  %s = add i64 %r, 2
  ret i64 %s
}

define i32 @main() {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %r = call i64 @alpha(i64 1000000)
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 300
  br i1 %more, label %loop, label %end
end:
  ret i32 0
}
