package io.delayjob.test.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.times;

import io.delayjob.DelayJobOperations;
import io.delayjob.annotation.Deferred;
import io.delayjob.annotation.DelayedJob;
import io.delayjob.test.DelayJobAssertions;
import io.delayjob.test.DelayJobTester;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

/** Beans with handlers that Mockito spies on. */
@SpringJUnitConfig
@AutoConfigureDelayJobTest
@Import({SpiedHandlerTest.Alarm.class, SpiedHandlerTest.Letters.class})
class SpiedHandlerTest {

    @MockitoSpyBean
    private Alarm alarm;

    @MockitoSpyBean
    private Letters letters;

    @Autowired
    private DelayJobOperations jobs;

    @Autowired
    private DelayJobTester tester;

    @Test
    void handlerOfASpy_isCalledAndVerified() {
        jobs.schedule(Alarm::ring).with("breakfast").after(Duration.ofHours(8));
        then(alarm).shouldHaveNoInteractions();

        tester.advance(Duration.ofHours(8));

        then(alarm).should().ring("breakfast");
        assertThat(alarm.rung).containsExactly("breakfast");
    }

    @Test
    void handlerOfASpyThatFails_isRetried() {
        willThrow(new IllegalStateException("no battery"))
                .willCallRealMethod()
                .given(alarm)
                .ring("lunch");
        jobs.schedule(Alarm::ring).with("lunch").now();

        tester.advance(Duration.ofHours(1));

        then(alarm).should(times(2)).ring("lunch");
        DelayJobAssertions.assertThat(tester).hasFinished(Alarm::ring);
    }

    @Test
    void deferredMethodOfASpy_becomesAJob() {
        letters.send("Ann");
        assertThat(letters.sent()).isEmpty();

        tester.runDue();

        assertThat(letters.sent()).containsExactly("Ann");
    }

    static class Alarm {
        private final List<String> rung = new ArrayList<>();

        @DelayedJob("ring")
        void ring(String occasion) {
            rung.add(occasion);
        }
    }

    static class Letters {
        private final List<String> sent = new ArrayList<>();

        @Deferred(name = "send-letter")
        public void send(String name) {
            sent.add(name);
        }

        public List<String> sent() {
            return sent;
        }
    }
}
