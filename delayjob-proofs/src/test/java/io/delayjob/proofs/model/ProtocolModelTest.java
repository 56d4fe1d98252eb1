package io.delayjob.proofs.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The protocol holds in every state that its model can reach, and each rule of it is needed: break one, and the
 * property that it stands for falls, within the same bounds.
 */
class ProtocolModelTest {

    static final List<String> MODULES = CheckModel.MODULES;

    /**
     * Maximum number of claims in the module Jobs. Each further claim multiplies the number of its states by nine. The
     * broken rules have three claims.
     */
    private static final int CLAIMS = Integer.getInteger("delayjob.test.claims", 2);

    /** Number of claims in the module Jobs with which every action is taken. */
    private static final int CLAIMS_FOR_EACH_ACTION = 2;

    /** What happens only where a rule is broken. */
    private static final Set<String> ONLY_OF_MUTANTS = Set.of(
            "HandOverBeforeCommit",
            "StartUnclaimed",
            "SetClock",
            "NoteLease",
            "StartUnderAnotherLease",
            "CountLater",
            "WriteLater");

    @ParameterizedTest
    @FieldSource("MODULES")
    void protocol_keepsEveryPropertyInEveryState(String module) {
        // If there are more claims than actions need, the build has counted the actions before.
        boolean counts = !module.equals("Jobs") || CLAIMS <= CLAIMS_FOR_EACH_ACTION;
        ModelChecker checker = checker(module);
        Verdict verdict = counts ? checker.checkAll(inBuild(module)) : checker.checkAllUncounted(inBuild(module));

        System.out.printf("%s: %s%n", module, verdict);
        assertThat(verdict.violated()).as("%s", verdict).isNull();
        if (counts) {
            assertThat(verdict.taken())
                    .as("how often each action was taken")
                    .isNotEmpty()
                    .allSatisfy(this::checkTaken);
        }
    }

    private static Configuration inBuild(String module) {
        Configuration configuration = Configuration.of(module);
        return switch (module) {
            case "Jobs" -> configuration.with("MaxClaims", String.valueOf(CLAIMS));
            case "Limits" -> configuration.with("MaxFaults", "1");
            default -> configuration;
        };
    }

    /** A property says nothing about what the model never does. */
    private void checkTaken(String action, long times) {
        assertThat(times > 0).as("%s is taken", action).isNotEqualTo(ONLY_OF_MUTANTS.contains(action));
    }

    /** All of them, or the one that {@code -Dmutant} names. */
    static Stream<Mutant> mutants() {
        String only = System.getProperty("mutant");
        return only == null ? Stream.of(Mutant.values()) : Stream.of(Mutant.valueOf(only));
    }

    @Tag("full")
    @ParameterizedTest
    @MethodSource("mutants")
    void brokenRule_isFoundOutByItsProperty(Mutant mutant) {
        Verdict verdict = checker(mutant.name()).findViolation(broken(mutant));

        System.out.printf("%s, %s: %s%n", mutant.module(), mutant.rule(), verdict);
        assertThat(verdict.violated()).as("%s", verdict).isEqualTo(mutant.property());
        assertThat(verdict.trace()).isNotEmpty();
    }

    /**
     * A job that never ends is found only after all states were visited, so that mutant has as few faults as the build.
     */
    private static Configuration broken(Mutant mutant) {
        Configuration broken = Configuration.of(mutant.module()).broken(mutant);
        return mutant == Mutant.NO_LOOK_FOR_ENDS ? broken.with("MaxFaults", "1") : broken;
    }

    private static ModelChecker checker(String name) {
        return new ModelChecker(Path.of("target", "model", name));
    }
}
