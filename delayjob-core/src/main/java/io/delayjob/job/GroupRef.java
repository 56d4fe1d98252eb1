package io.delayjob.job;

import io.delayjob.schedule.Stated;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Identifies a group of jobs. Immutable.
 *
 * @param id the id of the group. No other group ever has this id
 * @param name the name of the group; at any time, at most one group has this name
 */
public record GroupRef(UUID id, String name) {

    /** Maximum length of a group's name, in characters. */
    public static final int MAX_NAME_LENGTH = 100;

    private static final Pattern NOT_FOR_PATHS = Pattern.compile("\\.{1,2}|.*[/\\\\;%].*", Pattern.DOTALL);

    /** Returns a group with a new id. */
    public static GroupRef create(String name, long epochMillis, RandomGenerator random) {
        return new GroupRef(JobId.create(epochMillis, random).value(), name);
    }

    /** Refuses a name that is too long, blank or not printable. */
    public static String checkName(String name) {
        Stated.notNull(name, "name of a group", "must be a short text such as import-42");
        if (name.isBlank() || name.length() > MAX_NAME_LENGTH) {
            throw new IllegalArgumentException(
                    "Invalid name '%s' of a group (%d characters): must have 1 to %d characters and not be blank; use a short text such as import-42."
                            .formatted(
                                    Printable.of(name.substring(0, Math.min(name.length(), MAX_NAME_LENGTH))),
                                    name.length(),
                                    MAX_NAME_LENGTH));
        }
        if (IntStream.range(0, name.length()).anyMatch(index -> StorableText.isRefused(name, index))) {
            throw new IllegalArgumentException(
                    "Invalid name '%s' of a group: must not contain U+0000 or half a character, which databases refuse; remove it."
                            .formatted(Printable.of(name)));
        }
        return Printable.check("name of a group", name);
    }

    /** Tells whether an HTTP path may contain the name. */
    public static boolean isForPaths(String name) {
        return !NOT_FOR_PATHS.matcher(name).matches();
    }

    /** Refuses a name that {@linkplain #isForPaths HTTP paths cannot contain}. */
    public static String checkForPaths(String name) {
        if (!isForPaths(name)) {
            throw new IllegalArgumentException(
                    "Invalid group '%s': must contain none of / \\ ; %% and be neither . nor .., because it is part of a path; choose another name."
                            .formatted(Printable.of(name)));
        }
        return name;
    }
}
