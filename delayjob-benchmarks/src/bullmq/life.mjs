// Writes and runs jobs with BullMQ. Gets commands, one per line, and answers each with a number.
//   write <count> <delay in ms>      adds jobs
//   drain <count> <patience in ms>   runs jobs until so many have ended; answers the number of starts
import { createInterface } from 'node:readline';
import { Queue, Worker } from 'bullmq';

const CHUNK = 1000;
const CONCURRENCY = 200;
const connection = { host: '127.0.0.1', port: Number(process.argv[2]), maxRetriesPerRequest: null };
const queue = new Queue('benchmark', { connection });

async function write(count, delay) {
  for (let from = 0; from < count; from += CHUNK) {
    const jobs = [];
    for (let i = from; i < Math.min(count, from + CHUNK); i++) {
      jobs.push({ name: 'no-op', data: {}, opts: { delay, removeOnComplete: true } });
    }
    await queue.addBulk(jobs);
  }
  return count;
}

function drain(count, patience) {
  return new Promise((resolve, reject) => {
    let starts = 0;
    let ends = 0;
    setTimeout(() => reject(new Error(`${count - ends} of ${count} jobs have not ended`)), patience).unref();
    const worker = new Worker('benchmark', async () => { starts++; }, { connection, concurrency: CONCURRENCY });
    worker.on('completed', () => {
      ends++;
      if (ends === count) {
        resolve(starts);
      }
    });
  });
}

for await (const line of createInterface({ input: process.stdin })) {
  const [command, count, millis] = line.split(' ');
  const answer = await (command === 'write' ? write : drain)(Number(count), Number(millis));
  console.log(String(answer));
}
process.exit(0);
