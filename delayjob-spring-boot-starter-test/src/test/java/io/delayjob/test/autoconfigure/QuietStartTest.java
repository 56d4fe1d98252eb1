package io.delayjob.test.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.annotation.DelayedJob;
import io.delayjob.handler.HandlerRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** What virtual time makes of settings and threads is no fault of the user's, and is not said to be one. */
@ExtendWith(OutputCaptureExtension.class)
@SpringBootTest(
        classes = QuietStartTest.Bank.class,
        properties = {"spring.datasource.generate-unique-name=true", "delayjob.queues.default.concurrency=16"})
@AutoConfigureDelayJobTest
class QuietStartTest {

    @Autowired
    private HandlerRegistry handlers;

    @Test
    void start_warnsOfNothing(CapturedOutput output) {
        assertThat(handlers.all()).singleElement().matches(handler -> handler.atomic() && handler.concurrency() >= 10);
        assertThat(output).doesNotContain("WARN");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Ledger.class)
    static class Bank {}

    static class Ledger {
        @DelayedJob(value = "book", atomic = true)
        void book(long amount) {}
    }
}
