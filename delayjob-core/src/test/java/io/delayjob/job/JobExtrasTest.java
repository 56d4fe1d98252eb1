package io.delayjob.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Tests the text form of rare attributes. */
class JobExtrasTest {

    @Test
    void noAttributes_haveNoText() {
        assertThat(JobExtras.parse(null)).isEqualTo(JobExtras.NONE);
        assertThat(JobExtras.NONE.toText()).isNull();
        assertThat(JobExtras.NONE.expiresAfter()).isNull();
        assertThat(JobExtras.NONE.withResult("1").withoutResult().toText()).isNull();
    }

    @Test
    void linesOfALaterVersion_stay() {
        JobExtras read = JobExtras.parse("zoo 1\nabc x y").withExpiresAfter(Duration.ofMinutes(10));

        assertThat(read.toText()).isEqualTo("abc x y\nexpires PT10M\nzoo 1");
        assertThat(JobExtras.parse(read.toText()).expiresAfter()).isEqualTo(Duration.ofMinutes(10));
    }

    @Test
    void attribute_replacesTheAttributeOfTheSameName() {
        JobExtras twice =
                JobExtras.NONE.withResultMissing("too long").withResult("1").withResult("2");

        assertThat(twice.toText()).isEqualTo("result 2");
        assertThat(twice.resultMissing()).isNull();
    }

    @Property
    void anyResult_comesBack_andLeavesOtherLinesAlone(@ForAll String result) {
        JobExtras written = JobExtras.NONE.withExpiresAfter(Duration.ofHours(1)).withResult(result);

        JobExtras read = JobExtras.parse(written.toText());

        assertThat(read.result()).isEqualTo(result);
        assertThat(read.withoutResult().toText()).isEqualTo("expires PT1H");
    }

    @Test
    void labels_areSortedAndDistinct_andFoundAsAWhole() {
        JobExtras extras = JobExtras.NONE.withLabel("b").withLabel("a\\n").withLabel("b");

        assertThat(JobExtras.parse(extras.toText()).labels()).containsExactly("a\\n", "b");
        assertThat(extras.hasLabel("a\\n")).isTrue();
        assertThat(extras.hasLabel("a")).isFalse();
    }

    @Test
    void labelsThatAreTooManyOrTooLong_areRefused() {
        JobExtras full = JobExtras.NONE;
        for (int i = 0; i < JobExtras.MAX_LABELS; i++) {
            full = full.withLabel("label " + i);
        }
        JobExtras eight = full;

        assertThat(eight.withLabel("label 7")).isEqualTo(eight);
        assertThatThrownBy(() -> eight.withLabel("ninth")).hasMessageContaining("at most 8 labels");
        assertThatThrownBy(() -> JobExtras.NONE.withLabel("x".repeat(41))).hasMessageContaining("(41 characters)");
        assertThatThrownBy(() -> JobExtras.NONE.withLabel(" ")).hasMessageContaining("not be blank");
        assertThatThrownBy(() -> JobExtras.NONE.withLabel("a\nb")).hasMessageContaining("U+000A");
        assertThatThrownBy(() -> JobExtras.NONE.withLabel("\uD83D")).hasMessageContaining("databases refuse");
    }

    @Test
    void expiryThatCannotBeRead_isRefusedWithItsText() {
        assertThatThrownBy(() -> JobExtras.parse("expires soon").expiresAfter())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Invalid stored expiry 'soon'");
    }

    @Test
    void stepsOfAChain_areReadAsTheyWereWritten_inTheirOrder() {
        List<JobId> ids = JobId.parse("01234567-89ab-7cde-8000-000000000001").followers(12);
        List<ChainStep> steps = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            steps.add(new ChainStep(
                    ids.get(i),
                    i % 2 == 0 ? ChainStep.When.FINISHED : ChainStep.When.FINISHED_OR_FAILED,
                    "queue",
                    "send mail " + (12 - i),
                    i % 3 == 0 ? null : "rows",
                    i % 4 == 0 ? null : "{\"text\":\"a\tb\\n\n\r\"}"));
        }
        JobExtras extras = JobExtras.NONE.withLabel("web").withSteps(steps);

        assertThat(JobExtras.parse(extras.toText())).isEqualTo(extras);
        assertThat(JobExtras.parse(extras.toText()).steps()).isEqualTo(steps);
        assertThat(extras.withoutChain()).isEqualTo(JobExtras.NONE.withLabel("web"));
    }

    @Test
    void stepThatThisVersionCannotRead_isKeptAndIsNoStep() {
        JobExtras extras = JobExtras.parse("then 01\tof a later version\nthen 02\tx\tNEVER\tq\tn\t");

        assertThat(extras.steps()).isEmpty();
        assertThat(extras.withLabel("web").toText()).contains("of a later version");
    }

    @Test
    void stepsAfterAnUnreadableStep_areLeftOut_butKept() {
        JobId id = JobId.parse("01234567-89ab-7cde-8000-000000000001");
        ChainStep readable = new ChainStep(id, ChainStep.When.FINISHED, "mail", "send", "rows", null);
        String behind = "then 02\tof a later version\nthen 03\t" + id + "\tFINISHED\tmail\tarchive\t";
        JobExtras extras = JobExtras.parse("then 01\t" + id + "\tFINISHED\tmail\tsend\trows\n" + behind);

        assertThat(extras.steps()).containsExactly(readable);
        ChainStep filled = readable.withPayload("{}");
        assertThat(extras.withFirstStep(filled).steps()).containsExactly(filled);
        assertThat(extras.withFirstStep(filled).toText()).endsWith(behind);
        JobExtras follower = extras.ofFollower(id);
        assertThat(follower.toText()).endsWith(behind);
        assertThat(follower.steps()).isEmpty();
    }
}
