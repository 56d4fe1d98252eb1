package io.delayjob.benchmarks.races;

import java.util.ArrayList;
import java.util.List;
import org.openjdk.jcstress.Main;

/** Runs the races of this package. */
public final class WheelRaces {

    private WheelRaces() {}

    /** @param arguments options of jcstress; without options, the defaults of jcstress apply */
    public static void main(String[] arguments) throws Exception {
        List<String> options = new ArrayList<>(List.of("-t", WheelRaces.class.getPackageName(), "-r", "jcstress/"));
        options.addAll(
                arguments.length > 0
                        ? List.of(arguments)
                        : List.of("-f", "1", "-fsm", "1", "-iters", "3", "-time", "300"));
        Main.main(options.toArray(String[]::new));
    }
}
