package io.delayjob.proofs.model;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A module of the model, and TLC's configuration for it. The text ends with the properties that TLC checks. */
record Configuration(String module, String text) {

    private static final String INVARIANTS = "INVARIANTS";
    private static final String PROPERTIES = "PROPERTIES";

    static Configuration of(String module) {
        return new Configuration(module, resource(module + ".cfg"));
    }

    Configuration with(String constant, String value) {
        Matcher assignment = Pattern.compile("(?m)^(\\s*" + Pattern.quote(constant) + "\\s*=\\s*).*$")
                .matcher(text);
        if (!assignment.find()) {
            throw new IllegalArgumentException(
                    "Unknown constant '%s': must be one of the CONSTANTS in %s.cfg.".formatted(constant, module));
        }
        return new Configuration(module, assignment.replaceFirst("$1" + Matcher.quoteReplacement(value)));
    }

    /** Returns a copy for the mutant. TLC checks only the property that the mutant must violate. */
    Configuration broken(Mutant mutant) {
        String checks = text.substring(startOfChecks());
        boolean isTemporal = checks.indexOf(mutant.property()) > positionOrEnd(checks, PROPERTIES);
        if (!checks.matches("(?s).*\\b" + mutant.property() + "\\b.*")) {
            throw new IllegalArgumentException(
                    ("Unknown property '%s': %s.cfg does not check it, so it may not hold even for the unbroken "
                                    + "protocol.")
                            .formatted(mutant.property(), module));
        }
        String only = (isTemporal ? PROPERTIES : INVARIANTS) + "\n    " + mutant.property() + "\n";
        return new Configuration(module, text.substring(0, startOfChecks()) + only)
                .with("Mutant", '"' + mutant.rule() + '"');
    }

    private int startOfChecks() {
        return Math.min(positionOrEnd(text, INVARIANTS), positionOrEnd(text, PROPERTIES));
    }

    private static int positionOrEnd(String text, String section) {
        int position = text.indexOf(section);
        return position < 0 ? text.length() : position;
    }

    String source() {
        return resource(module + ".tla");
    }

    private static String resource(String name) {
        try (InputStream content = Configuration.class.getResourceAsStream(name)) {
            if (content == null) {
                throw new IllegalArgumentException("Unknown resource '%s': the modules of the model are %s."
                        .formatted(name, String.join(", ", CheckModel.MODULES)));
            }
            return new String(content.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
