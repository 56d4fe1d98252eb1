package io.delayjob.messaging;

import io.delayjob.target.ReservedHeaders;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The headers that a job may state. The target itself states the id, the type, the route and the trace of a message.
 */
enum StatedHeaders {
    ANY("[\\x21-\\x7e]{1,100}", "must be 1 to 100 characters of printable ASCII without spaces"),

    JMS("[A-Za-z_$][A-Za-z0-9_$]{0,99}", "must be 1 to 100 letters, digits, '_' or '$', and not begin with a digit");

    private static final int MAX_VALUE = 4000;

    /** Reserved words of JMS selectors, which cannot be names of properties. */
    private static final Pattern SELECTOR_WORD =
            Pattern.compile("NULL|TRUE|FALSE|NOT|AND|OR|BETWEEN|LIKE|IN|IS|ESCAPE", Pattern.CASE_INSENSITIVE);

    private final Pattern name;
    private final String rule;

    StatedHeaders(String name, String rule) {
        this.name = Pattern.compile(name);
        this.rule = rule;
    }

    boolean allows(String header, String value) {
        return isName(header) && !ReservedHeaders.ofMessages(header) && value.length() <= MAX_VALUE;
    }

    private boolean isName(String header) {
        return name.matcher(header).matches()
                && !(this == JMS && SELECTOR_WORD.matcher(header).matches());
    }

    /** The error message does not contain the value of a header. */
    Map<String, String> check(@Nullable Map<String, @Nullable String> stated) {
        Map<String, String> checked = new LinkedHashMap<>();
        if (stated != null) {
            stated.forEach((header, value) -> checked.put(checkName(header), checkValue(header, value)));
        }
        return checked;
    }

    private String checkName(String header) {
        if (!isName(header)) {
            throw new IllegalArgumentException("the name of a header %s.".formatted(rule));
        }
        if (ReservedHeaders.ofMessages(header)) {
            throw new IllegalArgumentException(
                    ("header '%s' belongs to the target, because it identifies, types, routes or traces a "
                                    + "message; leave it out.")
                            .formatted(header));
        }
        return header;
    }

    private static String checkValue(String header, @Nullable String value) {
        if (value == null || value.length() > MAX_VALUE) {
            throw new IllegalArgumentException(
                    "the value of header '%s' must be a text of at most %d characters.".formatted(header, MAX_VALUE));
        }
        return value;
    }
}
