package io.delayjob.proofs.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.proofs.chaos.LedgerLine.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerTest {

    @TempDir
    private Path directory;

    @Test
    void whatIsWritten_isReadAgain() {
        Path file = directory.resolve("a.ledger");
        LedgerLine line = LedgerLine.of(Event.START)
                .withGroup(3)
                .withJob(7, Story.id(7))
                .withAttempt(2, 4)
                .withDue(1_000)
                .withNote("two words");
        Ledger.append(file).write(line);
        Ledger.append(file).write(LedgerLine.of(Event.STOPPED));

        assertThat(Ledger.read(file)).hasSize(2).first().satisfies(read -> {
            assertThat(read.at(0, 0)).isEqualTo(line.withNote("two_words"));
            assertThat(read.nanos()).isPositive();
            assertThat(read.micros()).isPositive();
        });
    }

    @Test
    void aLineThatDeathCutOff_isLeftOut() throws IOException {
        Path file = directory.resolve("a.ledger");
        Ledger.append(file).write(LedgerLine.of(Event.STOPPING));
        Files.writeString(file, "START 17 2", StandardOpenOption.APPEND);

        assertThat(Ledger.read(file)).extracting(LedgerLine::event).containsExactly(Event.STOPPING);
    }

    @Test
    void aProcessThatWroteNothing_hasAnEmptyLedger() {
        assertThat(Ledger.read(directory.resolve("none.ledger"))).isEmpty();
    }
}
