package io.delayjob.benchmarks.durable;

import io.lettuce.core.RedisURI;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Measures BullMQ in a process of Node.js. Each command is one line, and is answered with a number.
 *
 * @param directory the directory with the script and with BullMQ's package, after {@code npm install}
 */
record BullMqContender(String directory) implements RedisContender {

    @Override
    public String configuration() {
        return "BullMQ in Node.js: addBulk with 1,000 jobs, one worker with 200 jobs at a time, finished jobs removed";
    }

    @Override
    public Instance open(RedisURI server) throws IOException {
        Process process = new ProcessBuilder("node", directory + "/life.mjs", Integer.toString(server.getPort()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        return new Running(process);
    }

    private static final class Running implements Instance {

        private final Process process;
        private final PrintStream commands;
        private final BufferedReader answers;

        Running(Process process) {
            this.process = process;
            this.commands = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
            this.answers = process.inputReader(StandardCharsets.UTF_8);
        }

        private long ask(String command) throws IOException {
            commands.println(command);
            String answer = answers.readLine();
            if (answer == null) {
                throw new IllegalStateException(
                        "BullMQ's process has ended. Has 'npm install' run in the directory of --bullmq?");
            }
            return Long.parseLong(answer);
        }

        @Override
        public void write(int count, Duration delay) throws IOException {
            ask("write %d %d".formatted(count, delay.toMillis()));
        }

        @Override
        public long drain(int count, Duration patience) throws IOException {
            return ask("drain %d %d".formatted(count, patience.toMillis()));
        }

        @Override
        public void close() {
            process.destroy();
        }
    }
}
