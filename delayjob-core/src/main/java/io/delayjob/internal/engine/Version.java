package io.delayjob.internal.engine;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** Reads the version from a resource. The manifest is not used, because the classes may come from outside a jar. */
final class Version {

    private static final String RESOURCE = "version.properties";

    private Version() {}

    static @Nullable String read() {
        try (InputStream file = Version.class.getResourceAsStream(RESOURCE)) {
            if (file == null) {
                return null;
            }
            Properties properties = new Properties();
            properties.load(file);
            String version = properties.getProperty("version");
            // If an IDE has compiled the classes, the file may still contain the placeholder.
            return version == null || version.startsWith("@") || version.startsWith("$") ? null : version;
        } catch (IOException unreadable) {
            throw new UncheckedIOException("The version of delayjob cannot be read from its jar.", unreadable);
        }
    }
}
