package io.delayjob.interleavings;

import java.util.List;
import java.util.Set;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.verifier.LinearizabilityVerifier;
import org.jetbrains.lincheck.datastructures.verifier.Verifier;

/**
 * Explores the interleavings of the given scenarios, and of some scenarios that Lincheck generates, which are always
 * the same. With {@code -Ddelayjob.lincheck.depth=100}, it tries more interleavings and scenarios.
 */
public final class Interleavings {

    private static final int DEPTH = Integer.getInteger("delayjob.lincheck.depth", 1);
    private static final int OF_EACH = 100;
    private static final int MADE_UP = 2;

    /** Classes that are immutable, or that only the polling thread uses, so that their steps need no interleaving. */
    private static final Set<String> OF_ONE_THREAD =
            Set.of("Level", "LevelOccupancy", "Ahead", "Chunks", "Commons", "JobId", "DueRow", "Partition");

    private static final String[] SLOT_OF_ONE_THREAD = {
        "levelNumber",
        "start",
        "first",
        "isEmpty",
        "isLone",
        "dueTime",
        "isLarge",
        "aheadTime",
        "mostUrgent",
        "moreUrgent",
        "add",
        "firstTime",
        "endFirst",
        "tidy",
        "leaveBelow",
        "moveAhead",
        "cascade",
        "compact",
        "endAll"
    };

    private Interleavings() {}

    /** Tests a subject that checks itself by a method with {@code @Validate}. */
    public static void judgedByItself(Class<?> subject, List<Scenario> scenarios) {
        explore(subject, scenarios, NothingThrown.class);
    }

    /**
     * Tests a subject that must be linearizable: every result must be possible if its operations are called one after
     * the other.
     */
    public static void linearizable(Class<?> subject, List<Scenario> scenarios) {
        explore(subject, scenarios, LinearizabilityVerifier.class);
    }

    /** Tests only this scenario. */
    public static void judgedByItself(Class<?> subject, Scenario scenario) {
        ModelCheckingOptions options = options(NothingThrown.class).iterations(0);
        options.addCustomScenario(scenario.of(subject));
        options.check(subject);
    }

    private static void explore(Class<?> subject, List<Scenario> scenarios, Class<? extends Verifier> verifier) {
        ModelCheckingOptions options = options(verifier).iterations(MADE_UP * DEPTH);
        scenarios.forEach(scenario -> options.addCustomScenario(scenario.of(subject)));
        options.check(subject);
    }

    private static boolean isOfOneThread(String className) {
        return OF_ONE_THREAD.contains(className.substring(className.lastIndexOf('.') + 1));
    }

    private static ModelCheckingOptions options(Class<? extends Verifier> verifier) {
        ModelCheckingOptions options = new ModelCheckingOptions()
                .invocationsPerIteration(OF_EACH * DEPTH)
                .threads(2)
                .actorsBefore(1)
                .actorsPerThread(2)
                .actorsAfter(0)
                .minimizeFailedScenario(false)
                .verifier(verifier);
        options.addGuarantee(ManagedStrategyGuaranteeKt.forClasses(Interleavings::isOfOneThread)
                .allMethods()
                .ignore());
        // Slot.fire and the poll itself call other code. If they were ignored, the code that they call would not be
        // interleaved either.
        options.addGuarantee(ManagedStrategyGuaranteeKt.forClasses(name -> name.endsWith(".Slot"))
                .methods(SLOT_OF_ONE_THREAD)
                .ignore());
        options.addGuarantee(ManagedStrategyGuaranteeKt.forClasses(name -> name.endsWith(".HierarchicalWheel"))
                .methods("add", "moveOn", "nanosToNext", "levels", "timeAt", "timeFor", "dueSlot")
                .ignore());
        return options;
    }
}
