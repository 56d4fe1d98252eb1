package io.delayjob.proofs.chaos;

import io.delayjob.time.StoreClock;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The notes of a worker process, in its own file. The operating system has each line before the call returns, so
 * {@code kill -9} loses no line. Thread-safe.
 */
final class Ledger {

    private final FileOutputStream file;

    private Ledger(FileOutputStream file) {
        this.file = file;
    }

    static Ledger append(Path path) {
        try {
            return new Ledger(new FileOutputStream(path.toFile(), true));
        } catch (IOException error) {
            throw new UncheckedIOException("The ledger cannot be written without its file " + path, error);
        }
    }

    void write(LedgerLine line) {
        byte[] bytes = (line.at(System.nanoTime(), StoreClock.wallMicros()) + "\n").getBytes(StandardCharsets.US_ASCII);
        try {
            // One system call for each line, so that lines of several threads do not mix.
            file.write(bytes);
        } catch (IOException error) {
            throw new UncheckedIOException("The ledger cannot be written, so the run proves nothing.", error);
        }
    }

    /** Leaves out an incomplete last line of a process that died. */
    static List<LedgerLine> read(Path path) {
        try {
            String written = Files.exists(path) ? Files.readString(path, StandardCharsets.US_ASCII) : "";
            return written.substring(0, written.lastIndexOf('\n') + 1)
                    .lines()
                    .map(LedgerLine::parse)
                    .toList();
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }
}
