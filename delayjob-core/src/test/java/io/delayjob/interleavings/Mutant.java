package io.delayjob.interleavings;

/**
 * A fault to be put into a real class, and the check that must find it.
 *
 * @param name what is wrong, in words that make a package's name: {@code bound_is_checked_then_raised}
 * @param className the class to be patched, without its package
 * @param original the one place in its source that is replaced
 * @param fault what it is replaced with
 * @param race where the fault shows
 * @param caughtBy what the failing check says
 */
public record Mutant(String name, String className, String original, String fault, Scenario race, String caughtBy) {

    String applyTo(String source) {
        String patched = source.replace(original, fault);
        boolean once =
                patched.length() - source.length() == fault.length() - original.length() && !fault.equals(original);
        if (!once || !source.contains(original)) {
            throw new IllegalStateException(
                    "The mutant %s does not fit %s any more: '%s' must occur there exactly once. Rewrite it after the new code."
                            .formatted(name, className, original));
        }
        return patched;
    }

    @Override
    public String toString() {
        return name;
    }
}
