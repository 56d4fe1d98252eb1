package io.delayjob.rest;

import io.delayjob.handler.HandlerRegistry;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the REST API.
 *
 * @param path Path of the API, below the context path of the application.
 * @param exposure Jobs and groups that callers may use.
 * @param openAnswers Whether callers without credentials may answer attempts. If this is true, anyone who sees a ticket
 *     may answer its attempt. But nobody can invent a ticket, because tickets are signed.
 * @param showPayloads Whether responses show the arguments, results and log lines of jobs, and the messages of their
 *     failures.
 */
@ConfigurationProperties("delayjob.rest")
public record RestProperties(
        @DefaultValue(RestProperties.DEFAULT_PATH) String path,
        @DefaultValue Exposure exposure,
        @DefaultValue("false") boolean openAnswers,
        @DefaultValue("false") boolean showPayloads) {

    static final String DEFAULT_PATH = "/delayjob/v1";

    private static final Pattern PATH = Pattern.compile("(/[A-Za-z0-9._~-]+)+");

    public RestProperties {
        if (!PATH.matcher(path).matches()) {
            throw new IllegalArgumentException(
                    "Invalid delayjob.rest.path '%s': must begin with a slash and end without one, such as %s; it may hold letters, digits and . _ ~ -"
                            .formatted(path, DEFAULT_PATH));
        }
    }

    /**
     * Jobs and groups that callers may use.
     *
     * @param include Names of the handlers and targets that callers may use, or "*" for all handlers and targets of
     *     this application. For callers, all other names do not exist.
     * @param groups Names of the job groups that callers may use. A name with "*" at its end stands for all names that
     *     begin with the text before the "*". For callers, all other groups do not exist.
     */
    public record Exposure(
            @DefaultValue List<String> include,
            @DefaultValue List<String> groups) {

        private static final String ALL = "*";

        public Exposure {
            include = List.copyOf(include);
            groups = List.copyOf(groups);
        }

        Predicate<String> names(HandlerRegistry handlers) {
            return name -> include.contains(name) || include.contains(ALL) && handlers.find(name) != null;
        }

        boolean hasGroup(String name) {
            return groups.stream()
                    .anyMatch(exposed -> exposed.endsWith(ALL)
                            ? name.startsWith(exposed.substring(0, exposed.length() - ALL.length()))
                            : exposed.equals(name));
        }
    }
}
