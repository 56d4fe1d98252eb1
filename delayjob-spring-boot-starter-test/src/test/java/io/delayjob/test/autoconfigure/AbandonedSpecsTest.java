package io.delayjob.test.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.DelayJobOperations;
import io.delayjob.annotation.DelayedJob;
import java.lang.reflect.Method;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestContextManager;

/** A test in which something was begun by schedule(…) and never given a time fails when its method ends. */
class AbandonedSpecsTest {

    private static Consumer<DelayJobOperations> under;

    @AutoConfigureDelayJobTest
    @ContextConfiguration
    @Import(Alarm.class)
    static class Story {
        @Autowired
        private DelayJobOperations jobs;

        void story() {
            under.accept(jobs);
        }
    }

    private static void run(Consumer<DelayJobOperations> story) throws Exception {
        under = story;
        TestContextManager spring = new TestContextManager(Story.class);
        Story test = new Story();
        Method method = Story.class.getDeclaredMethod("story");
        spring.prepareTestInstance(test);
        spring.beforeTestMethod(test, method);
        test.story();
        spring.afterTestMethod(test, method, null);
    }

    @Test
    void testThatNeverSaysWhen_fails() throws Exception {
        assertThatThrownBy(() -> run(jobs -> jobs.schedule(Alarm::ring).with("breakfast")))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("AbandonedSpecsTest.java")
                .hasMessageContaining(".now()");

        run(jobs -> assertThat(jobs.schedule(Alarm::ring).with("lunch").now()).isNotNull());
    }

    static class Alarm {
        @DelayedJob("ring")
        void ring(String occasion) {}
    }
}
