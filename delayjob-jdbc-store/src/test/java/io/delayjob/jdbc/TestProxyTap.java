package io.delayjob.jdbc;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Reads along what a client sends to PostgreSQL, so that a {@link TestProxy} knows which statement passes by, and
 * whether a transaction ends with it. A driver sends the text of a statement once ("parse") and its name from then on
 * ("bind"), COMMIT included. What is not this protocol is left unread. Belongs to one thread.
 */
final class TestProxyTap {

    /**
     * A statement that is sent for execution.
     *
     * @param text its text, in lower case
     * @param transaction the statements of its transaction so far, its own among them
     * @param commits whether the transaction commits by it
     */
    record Request(String text, List<String> transaction, boolean commits) {

        boolean holds(String part) {
            return text.contains(part);
        }

        boolean anyHolds(String part) {
            return transaction.stream().anyMatch(statement -> statement.contains(part));
        }
    }

    /** SSLRequest and GSSENCRequest: the client asks, and begins anew after an answer of one byte. */
    private static final List<Integer> NEGOTIATIONS = List.of(80877103, 80877104);

    /** Major version of the protocol, with which the first message of a connection begins. */
    private static final int PROTOCOL_VERSION = 3;

    private static final int MAX_STARTUP_LENGTH = 10_000;
    private static final Pattern WRITES = Pattern.compile("\\b(insert|update|delete|merge)\\b");

    private final Predicate<Request> listener;
    private final Map<String, String> statements = new HashMap<>();
    private final List<String> transaction = new ArrayList<>();
    private final ByteArrayOutputStream message = new ByteArrayOutputStream();
    private boolean startingUp = true;
    private boolean unread;
    private boolean inTransaction;
    private boolean synced = true;

    /** @param listener called with each request; answers whether it wants to know where the request begins */
    TestProxyTap(Predicate<Request> listener) {
        this.listener = listener;
    }

    /**
     * Reads on.
     *
     * @return where in these bytes the first message begins that the listener took, 0 if it began before them; -1 for
     *     none
     */
    int read(byte[] bytes, int length) {
        int taken = -1;
        int start = 0;
        for (int at = 0; at < length && !unread; at++) {
            if (message.size() == 0) {
                start = at;
            }
            message.write(bytes[at]);
            int missing = missing();
            if (missing > 0) {
                int more = Math.min(missing, length - at - 1);
                message.write(bytes, at + 1, more);
                at += more;
                missing -= more;
            }
            if (missing == 0) {
                boolean took = complete(message.toByteArray());
                message.reset();
                if (took && taken < 0) {
                    taken = start;
                }
            }
        }
        return taken;
    }

    /** Whether the client now waits for an answer: its last message asked for one, and is complete. */
    boolean isSynced() {
        return unread || synced && message.size() == 0;
    }

    /** How many bytes the message still lacks; -1 while that is not known. */
    private int missing() {
        int header = startingUp ? 4 : 5;
        if (message.size() < header) {
            return -1;
        }
        int length = ByteBuffer.wrap(message.toByteArray()).getInt(header - 4);
        if (length < 4 || startingUp && length > MAX_STARTUP_LENGTH) {
            unread = true;
            return -1;
        }
        return header - 4 + length - message.size();
    }

    private boolean complete(byte[] whole) {
        if (startingUp) {
            int code = whole.length < 8 ? 0 : ByteBuffer.wrap(whole).getInt(4);
            startingUp = NEGOTIATIONS.contains(code);
            unread = !startingUp && code >>> 16 != PROTOCOL_VERSION;
            return false;
        }
        synced = whole[0] == 'S' || whole[0] == 'Q';
        ByteBuffer body = ByteBuffer.wrap(whole, 5, whole.length - 5);
        return switch (whole[0]) {
            case 'P' -> {
                statements.put(text(body), text(body));
                yield false;
            }
            case 'B' -> {
                text(body);
                yield execute(statements.getOrDefault(text(body), ""));
            }
            case 'Q' -> execute(text(body));
            default -> false;
        };
    }

    private static String text(ByteBuffer body) {
        int from = body.position();
        while (body.get() != 0) {
            // Texts end with a zero byte.
            continue;
        }
        return new String(body.array(), from, body.position() - from - 1, StandardCharsets.UTF_8);
    }

    private boolean execute(String statement) {
        String text = statement.toLowerCase(Locale.ROOT).strip();
        if (text.startsWith("begin")) {
            inTransaction = true;
            transaction.clear();
            return false;
        }
        if (!inTransaction) {
            transaction.clear();
        }
        transaction.add(text);
        boolean ends = text.equals("commit") || text.equals("rollback");
        boolean commits =
                inTransaction ? text.equals("commit") : WRITES.matcher(text).find();
        boolean took = listener.test(new Request(text, List.copyOf(transaction), commits));
        if (ends) {
            inTransaction = false;
            transaction.clear();
        }
        return took;
    }
}
