package io.delayjob.redis;

import io.lettuce.core.event.command.CommandListener;
import io.lettuce.core.event.command.CommandStartedEvent;
import io.lettuce.core.protocol.RedisCommand;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

/** Sees the commands of a client before they are sent, in the thread that sends them. Thread-safe. */
final class CommandProbe implements CommandListener {

    private final Queue<String> sent = new ConcurrentLinkedQueue<>();
    private final AtomicReference<Interruption> interruption = new AtomicReference<>();

    private record Interruption(Predicate<String> command, Runnable action) {}

    @Override
    public void commandStarted(CommandStartedEvent event) {
        RedisCommand<Object, Object, Object> command = event.getCommand();
        String text = "%s %s".formatted(command.getType(), command.getArgs().toCommandString());
        sent.add(text);
        Interruption due = interruption.get();
        if (due != null && due.command.test(text) && interruption.compareAndSet(due, null)) {
            due.action.run();
        }
    }

    /** Does something before the next command of this kind is sent. */
    void before(Predicate<String> command, Runnable action) {
        interruption.set(new Interruption(command, action));
    }

    /** Tells whether a command runs a script. */
    static Predicate<String> runs(LuaScript script) {
        return command -> command.startsWith("EVALSHA " + script.digest());
    }

    /** Returns the commands since the last call. */
    List<String> takeAll() {
        List<String> taken = List.copyOf(sent);
        sent.removeAll(taken);
        return taken;
    }
}
