// SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
// SPDX-License-Identifier: MIT
//
// runtime-churn COUNT FILE: functions that run one after the other, each for a
// moment, and are collected, so that their addresses are used again. Writes a
// line for each into the file: its name, and when it began and ended to run, in ns
// of CLOCK_MONOTONIC.
const fs = require('fs');

const count = Number(process.argv[2]);
const log = [];
let sum = 0;

for (let i = 0; i < count; i++) {
  const name = `work_${i}`;
  const work = new Function(`return function ${name}(n) {
    let s = ${i};
    for (let k = 0; k < n; k++) s = (s * 31 + k) % 1000003;
    return s;
  }`)();
  const start = process.hrtime.bigint();
  let end = start;
  while (end - start < 1500000n) {
    sum += work(2000);
    end = process.hrtime.bigint();
  }
  log.push(`${name} ${start} ${end}`);
  if (i % 20 === 19) global.gc();
}
fs.writeFileSync(process.argv[3], log.join('\n') + '\n');
console.log(sum > 0);
