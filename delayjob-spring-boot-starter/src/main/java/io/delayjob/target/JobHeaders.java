package io.delayjob.target;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The headers that the jobs of a target may state. The configuration of the target lists these headers. Headers that
 * authenticate, sign, route or frame a message are never allowed. Immutable.
 */
public final class JobHeaders {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}");
    private static final Pattern VALUE = Pattern.compile("[\\x20-\\x7e]{0,1000}");

    private final Set<String> allowed = new TreeSet<>();

    /**
     * @param allowed names of headers; the names are not case-sensitive
     * @throws IllegalArgumentException if a name is not valid for a header, or if no job may state this header
     */
    public JobHeaders(Collection<String> allowed) {
        for (String name : allowed) {
            if (!NAME.matcher(name).matches() || ReservedHeaders.ofJobs(name)) {
                throw new IllegalArgumentException(
                        "Invalid allowed header '%s': must be the name of a header that does not authenticate, sign, route or frame a message."
                                .formatted(name.replaceAll("[^\\x20-\\x7e]", "?")));
            }
            this.allowed.add(lower(name));
        }
    }

    /**
     * Returns the headers that a job states. Error messages never contain the value of a header. They contain only
     * names of allowed headers.
     *
     * @param headers the headers by name, or {@code null} if the job states none
     * @throws IllegalArgumentException if a header is not allowed or is stated twice. The exception is also thrown if a
     *     value exceeds 1000 characters or is not printable ASCII
     */
    public Map<String, String> check(@Nullable Map<String, @Nullable String> headers) {
        Map<String, String> checked = new LinkedHashMap<>();
        if (headers != null) {
            headers.forEach((name, value) -> {
                String lower = lower(name);
                if (!allowed.contains(lower)) {
                    throw new IllegalArgumentException(
                            ("a header is not allowed by the target, which allows %s; leave the header out, "
                                            + "or allow it in the target's configuration.")
                                    .formatted(
                                            allowed.isEmpty() ? "no headers" : "only " + String.join(", ", allowed)));
                }
                if (value == null || !VALUE.matcher(value).matches()) {
                    throw new IllegalArgumentException(
                            "the value of header '%s' must be at most 1000 characters of printable ASCII."
                                    .formatted(lower));
                }
                if (checked.putIfAbsent(lower, value) != null) {
                    throw new IllegalArgumentException("header '%s' is stated twice.".formatted(lower));
                }
            });
        }
        return checked;
    }

    private static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return allowed.toString();
    }
}
