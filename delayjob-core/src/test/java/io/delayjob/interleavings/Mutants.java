package io.delayjob.interleavings;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Creates copies of real classes with one fault each. It patches and compiles their sources in a separate package,
 * together with the class that tests them. A patch must match exactly one place, so a mutant fails when its code has
 * changed.
 */
public final class Mutants {

    private static final Path MODULE =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath();
    private static final Path MAIN = MODULE.resolve("src/main/java");
    private static final Path SOURCES = MODULE.resolve("target/mutants");
    private static final Path TEST = MODULE.resolve("src/test/java");

    private final Class<?> subject;
    private final List<Path> sources;

    private Mutants(Class<?> subject, List<Path> sources) {
        this.subject = subject;
        this.sources = sources;
    }

    /** Returns mutants of the whole package of the subject. */
    public static Mutants ofPackage(Class<?> subject) {
        try (Stream<Path> files = Files.list(folder(MAIN, subject))) {
            return new Mutants(
                    subject,
                    files.filter(file -> !file.endsWith("package-info.java")).toList());
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    /**
     * Returns mutants of one class in the package of the subject. That class must not use other classes of the package.
     */
    public static Mutants ofClass(Class<?> mutated, Class<?> subject) {
        return new Mutants(subject, List.of(folder(MAIN, mutated).resolve(mutated.getSimpleName() + ".java")));
    }

    private static Path folder(Path root, Class<?> type) {
        return root.resolve(type.getPackageName().replace('.', '/'));
    }

    /** Returns a copy of the subject that uses classes with this fault. */
    public Class<?> subjectWith(Mutant mutant) {
        String target = "io.delayjob.mutants." + mutant.name();
        try {
            Path folder = Files.createDirectories(SOURCES.resolve(target.replace('.', '/')));
            List<Path> copies = new ArrayList<>();
            for (Path source : sources) {
                String text = Files.readString(source);
                boolean patched = source.endsWith(mutant.className() + ".java");
                copies.add(copy(source, patched ? mutant.applyTo(text) : text, folder, target));
            }
            Path ofTest = folder(TEST, subject).resolve(subject.getSimpleName() + ".java");
            copies.add(copy(ofTest, Files.readString(ofTest), folder, target));
            compile(copies);
            return Class.forName(target + "." + subject.getSimpleName());
        } catch (IOException | URISyntaxException | ClassNotFoundException error) {
            throw new IllegalStateException("The mutant %s could not be made".formatted(mutant), error);
        }
    }

    private Path copy(Path source, String text, Path folder, String target) throws IOException {
        String ofSubject = "package " + subject.getPackageName() + ";";
        // Types of the subject's package that are not copied stay what they are.
        String moved =
                text.replace(ofSubject, "package %s;\n\nimport %s.*;".formatted(target, subject.getPackageName()));
        return Files.writeString(folder.resolve(source.getFileName()), moved);
    }

    /**
     * Compiles into the directory of the test classes. Lincheck finds classes by their names, so they must be on the
     * class path.
     */
    private void compile(List<Path> sources) throws IOException, URISyntaxException {
        Path classes = Path.of(
                subject.getProtectionDomain().getCodeSource().getLocation().toURI());
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter complaints = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of(
                    "-proc:none", "-nowarn", "-d", classes.toString(), "-cp", System.getProperty("java.class.path"));
            boolean compiled = compiler.getTask(
                            complaints, files, null, options, null, files.getJavaFileObjectsFromPaths(sources))
                    .call();
            if (!compiled) {
                throw new IllegalStateException("A mutant does not compile:\n" + complaints);
            }
        }
    }
}
