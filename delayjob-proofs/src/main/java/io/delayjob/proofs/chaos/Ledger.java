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
 * What a worker process writes down, in a file of its own. Each line is given to the operating system before the call
 * returns, so that {@code kill -9} loses none; only a power failure would. Thread-safe.
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
            throw new UncheckedIOException("No ledger without its file " + path, error);
        }
    }

    /** Writes this down, as of now. */
    void write(LedgerLine line) {
        byte[] bytes = (line.at(System.nanoTime(), StoreClock.wallMicros()) + "\n").getBytes(StandardCharsets.US_ASCII);
        try {
            // One call of the operating system, at the end of the file: lines of several threads do not mingle.
            file.write(bytes);
        } catch (IOException error) {
            throw new UncheckedIOException("The ledger cannot be written; nothing can be proved without it.", error);
        }
    }

    /** All lines; a last one that was cut off by its process's death is left out. */
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
