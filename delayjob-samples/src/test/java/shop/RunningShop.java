package shop;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** A shop in a process of its own, which can be killed. Its data lie in its working directory. */
final class RunningShop implements AutoCloseable {

    private static final Pattern OPEN = Pattern.compile("The shop is open: http://localhost:(\\d+)");

    private static final Pattern DASHBOARD = Pattern.compile("(?m)delayjob's dashboard: (http://localhost:\\d+/\\S+)$");

    private static final List<String> CLASS_PATH = List.of("-cp", System.getProperty("java.class.path"));

    private final RunningProgram program;

    private RunningShop(RunningProgram program) {
        this.program = program;
    }

    static RunningShop start(Path directory, String... arguments) throws IOException {
        return start(directory, CLASS_PATH, arguments);
    }

    /** @param java what the JVM is told, the class path above all */
    static RunningShop start(Path directory, List<String> java, String... arguments) throws IOException {
        return start(directory, Map.of(), java, arguments);
    }

    /** @param environment further variables of its environment */
    static RunningShop start(Path directory, Map<String, String> environment, String... arguments) throws IOException {
        return start(directory, environment, CLASS_PATH, arguments);
    }

    private static RunningShop start(
            Path directory, Map<String, String> environment, List<String> java, String... arguments)
            throws IOException {
        List<String> command =
                new ArrayList<>(List.of(ProcessHandle.current().info().command().orElse("java")));
        command.addAll(RunningProgram.QUICK_START);
        command.addAll(java);
        command.addAll(List.of(ShopApplication.class.getName(), "--server.port=0"));
        command.addAll(List.of(arguments));
        ProcessBuilder program = new ProcessBuilder(command);
        program.environment().putAll(environment);
        return new RunningShop(RunningProgram.start(directory, program));
    }

    /** Waits until it is open. */
    ShopClient enter() {
        return new ShopClient(port());
    }

    /** Where it is open; waits until it is. */
    int port() {
        return Integer.parseInt(program.awaitText(OPEN).group(1));
    }

    /** The address of the dashboard, as it tells it in one line. */
    URI dashboard() {
        return URI.create(program.awaitText(DASHBOARD).group(1));
    }

    /** Ends it without a chance to tidy up, as {@code kill -9} does. */
    void kill() throws InterruptedException {
        program.kill();
    }

    @Override
    public void close() throws InterruptedException {
        program.close();
    }
}
