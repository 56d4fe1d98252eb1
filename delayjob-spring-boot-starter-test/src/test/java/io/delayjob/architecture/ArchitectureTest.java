package io.delayjob.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchConditions.be;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.Timer;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;

/**
 * The shape of delayjob, as rules over the main code of every published jar. It lives in this module because this is
 * the one that sees them all.
 */
class ArchitectureTest {
    private static final String ROOT = "io.delayjob";

    private static final JavaClasses MAIN_CODE =
            new ClassFileImporter().withImportOption(new DoNotIncludeTests()).importPackages(ROOT);

    /** Reads the module off the place of a class: its class directory in the build, else its jar. */
    private static final Pattern MODULE =
            Pattern.compile(".*/(delayjob-[a-z-]+)(?:/target/classes|-\\d[^/]*\\.jar!)/.*");

    private static final Pattern MODULE_IN_POM = Pattern.compile("<module>([a-z-]+)</module>");

    /** For applications, and for tests with virtual time. */
    private static final List<String> AUTO_CONFIGURATIONS = List.of(
            "META-INF/spring/org.springframework.boot.autoconfigure.AutoConfiguration.imports",
            "META-INF/spring/io.delayjob.test.autoconfigure.AutoConfigureDelayJobTest.imports");

    /** The packages of the core, in the order a job passes them, each with those of the core that it may import. */
    private static final Map<String, List<String>> CORE = Map.ofEntries(
            Map.entry("schedule", List.of()),
            Map.entry("time", List.of()),
            Map.entry("wheel", List.of()),
            Map.entry("lease", List.of()),
            Map.entry("job", List.of("schedule")),
            Map.entry("handler", List.of("job", "schedule")),
            Map.entry("event", List.of("job")),
            Map.entry("settings", List.of("job", "schedule", "handler", "wheel")),
            Map.entry("store", List.of("job", "schedule")),
            Map.entry("status", List.of("job", "store", "wheel")),
            Map.entry("memory", List.of("job", "store")),
            Map.entry("internal.agent", List.of("store", "event", "time")),
            Map.entry("internal.instance", List.of("job", "store", "status", "time")),
            Map.entry("internal.lead", List.of("job", "lease", "internal.instance", "event", "time")),
            Map.entry("internal.preload", List.of("job", "store", "wheel", "event", "time")),
            Map.entry("internal.limit", List.of("job", "handler", "settings", "store", "status", "time")),
            Map.entry(
                    "internal.lane", List.of("job", "handler", "internal.limit", "internal.attempt", "status", "time")),
            Map.entry("internal.key", List.of("job", "handler", "internal.limit", "internal.lane", "status", "time")),
            Map.entry(
                    "internal.dispatch",
                    List.of(
                            "job",
                            "settings",
                            "store",
                            "handler",
                            "wheel",
                            "internal.preload",
                            "internal.limit",
                            "internal.lane",
                            "internal.key",
                            "internal.attempt",
                            "status",
                            "event",
                            "time")),
            Map.entry(
                    "internal.attempt",
                    List.of("job", "schedule", "store", "handler", "internal.complete", "status", "event", "time")),
            Map.entry(
                    "internal.complete",
                    List.of("job", "schedule", "store", "settings", "internal.preload", "event", "time")),
            Map.entry(
                    "internal.maintain",
                    List.of("job", "store", "internal.preload", "internal.instance", "status", "event", "time")),
            Map.entry(
                    "internal.engine",
                    List.of(
                            "job",
                            "handler",
                            "settings",
                            "store",
                            "lease",
                            "wheel",
                            "status",
                            "event",
                            "time",
                            "internal.agent",
                            "internal.instance",
                            "internal.lead",
                            "internal.preload",
                            "internal.dispatch",
                            "internal.attempt",
                            "internal.complete",
                            "internal.maintain")));

    /**
     * The packages of the engine: nothing but the wiring, and delayjob's own starter and test support, may use them.
     */
    private static final String ENGINE = ROOT + ".internal..";

    private static final Set<String> MAY_USE_THE_ENGINE =
            Set.of("delayjob-core", "delayjob-spring-boot-starter", "delayjob-test");

    /** The inside of the JDBC store. */
    private static final String SQL = ROOT + ".internal.jdbc..";

    private static final Set<String> MAY_USE_THE_SQL = Set.of("delayjob-jdbc-store", "delayjob-spring-boot-starter");

    /** These two can be lifted out and used alone, so they do not even log. */
    private static final Set<String> SELF_CONTAINED = Set.of("schedule", "wheel");

    private static final int MAX_ARGUMENTS = 7;

    /**
     * Records whose components are columns of a row, fields of an answer, or properties, each read by its name and
     * built in one or two places.
     */
    private static final Set<String> WIDE_RECORDS = Set.of(
            "Job",
            "NewJob",
            "Draft",
            "AttemptRecord",
            "Completion",
            "JobFilter",
            "JobLocator$Located",
            "Vitals",
            "Endings$Ending",
            "Handler",
            "EngineStatus",
            "FailureGroup",
            "DelayJobProperties",
            "StoreProperties$Place",
            "TargetProperties$Rules",
            "HttpTargetProperties",
            "ClientProperties",
            "JobRequest",
            "WaitingJobRequest",
            "GroupRow",
            "JobView",
            "GroupView");

    /** Where a client without an engine gets its clock and its randomness, for the ids of jobs. */
    private static final DescribedPredicate<JavaClass> WIRING_OF_THE_CLIENT = describe(
            "wire the client", type -> type.getName().equals(ROOT + ".client.DelayJobClientAutoConfiguration"));

    /** Answers of the endpoint: each component is a field of the JSON. */
    private static final Pattern ANSWER = Pattern.compile(".*\\.actuate\\.endpoint\\..*Descriptor");

    /** A module that is missing here has to be added to the dependencies of this one, for tests. */
    @Test
    void everyPublishedModuleIsSeen() throws IOException {
        Set<String> published = new TreeSet<>();
        for (String module : MODULE_IN_POM
                .matcher(Files.readString(Path.of("../pom.xml")))
                .results()
                .map(found -> found.group(1))
                .toList()) {
            Path directory = Path.of("..", module);
            if (Files.isDirectory(directory.resolve("src/main/java"))
                    && !Files.readString(directory.resolve("pom.xml"))
                            .contains("<maven.deploy.skip>true</maven.deploy.skip>")) {
                published.add(module);
            }
        }

        Set<String> seen = new TreeSet<>();
        MAIN_CODE.forEach(type -> seen.add(module(type)));
        assertThat(seen).isEqualTo(published);
    }

    /** Spring Boot finds them by these files alone. Tests that name a class would not notice. */
    @Test
    void everyAutoConfigurationIsListedInItsModule() throws IOException {
        Set<String> listed = new TreeSet<>();
        for (String name : AUTO_CONFIGURATIONS) {
            for (URL file : Collections.list(getClass().getClassLoader().getResources(name))) {
                if (MODULE.matcher(file.toString()).matches()) {
                    try (InputStream lines = file.openStream()) {
                        new String(lines.readAllBytes(), StandardCharsets.UTF_8)
                                .lines()
                                .forEach(listed::add);
                    }
                }
            }
        }

        Set<String> annotated = new TreeSet<>();
        MAIN_CODE.stream()
                .filter(type -> type.isAnnotatedWith(AutoConfiguration.class))
                .forEach(type -> annotated.add(type.getName()));
        assertThat(annotated).isEqualTo(listed);
    }

    /** A longer list is a group of things that has no name yet. */
    @Test
    void noConstructorTakesMoreThanSevenArguments() {
        List<String> wide = MAIN_CODE.stream()
                .filter(type -> !type.isAnonymousClass() && !type.isLocalClass() && !type.isEnum())
                .filter(type -> !type.isRecord()
                        || !WIDE_RECORDS.contains(nameInPackage(type))
                                && !ANSWER.matcher(type.getName()).matches())
                .flatMap(type -> type.getConstructors().stream())
                .filter(constructor -> constructor.getRawParameterTypes().size() > MAX_ARGUMENTS)
                .map(JavaConstructor::getFullName)
                .toList();
        assertThat(wide).isEmpty();
    }

    /** So that a name in a log, a stack or a sentence means one type. Nested types are read with their owner's name. */
    @Test
    void noTwoTypesShareTheirSimpleName() {
        Map<String, Set<String>> byName = MAIN_CODE.stream()
                .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
                .collect(groupingBy(
                        JavaClass::getSimpleName, mapping(JavaClass::getPackageName, toCollection(TreeSet::new))));
        assertThat(byName)
                .allSatisfy((name, packages) ->
                        assertThat(packages).as("packages with a type %s", name).hasSize(1));
    }

    private static String nameInPackage(JavaClass type) {
        return type.getName().substring(type.getPackageName().length() + 1);
    }

    @Test
    void packagesFormNoCycle() {
        check(slices().assignedFrom(packages()).should().beFreeOfCycles());
    }

    @ParameterizedTest
    @MethodSource("corePackages")
    void corePackage_importsOnlyWhatItMay(String name) {
        Stream<String> own = Stream.of(corePackage(name));
        Stream<String> imported = CORE.get(name).stream().map(ArchitectureTest::corePackage);
        Stream<String> libraries =
                SELF_CONTAINED.contains(name) ? Stream.of("java..", "org.jspecify..") : coreLibraries();
        check(classes()
                .that(belongTo("delayjob-core"))
                .and()
                .resideInAPackage(corePackage(name))
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage(concat(own, imported, libraries).toArray(String[]::new))));
    }

    @Test
    void onlyTheWiringUsesTheEngine() {
        check(noClasses()
                .that(describe("belong to another module", type -> !MAY_USE_THE_ENGINE.contains(module(type))))
                .should()
                .dependOnClassesThat(resideInAPackage(ENGINE).and(not(resideInAPackage(SQL)))));
    }

    @Test
    void onlyTheJdbcStoreUsesItsSql() {
        check(noClasses()
                .that(describe("belong to another module", type -> !MAY_USE_THE_SQL.contains(module(type))))
                .should()
                .dependOnClassesThat(resideInAPackage(SQL)));
    }

    @Test
    void coreConsistsOfTheListedPackages() {
        String[] listed = concat(Stream.of(ROOT), corePackages().map(ArchitectureTest::corePackage))
                .toArray(String[]::new);
        check(classes().that(belongTo("delayjob-core")).should().resideInAnyPackage(listed));
    }

    /** So that a new reader finds each station of a job's way. */
    @Test
    void everyPackageStandsOnThePageOfTheArchitecture() throws IOException {
        List<String> rows = Files.readAllLines(Path.of("../docs/ARCHITECTURE.md")).stream()
                .filter(line -> line.startsWith("| `"))
                .toList();
        CORE.forEach((name, imports) -> assertThat(rows)
                .as("the row of %s", name)
                .anyMatch(row -> row.startsWith("| `" + name + "` | ")
                        && row.endsWith(" | " + (imports.isEmpty() ? "–" : String.join(", ", imports)) + " |")));
        MAIN_CODE.stream()
                .map(JavaClass::getPackageName)
                .distinct()
                .filter(name ->
                        corePackages().map(ArchitectureTest::corePackage).noneMatch(name::equals))
                .forEach(name ->
                        assertThat(rows).as("the row of %s", name).anyMatch(row -> row.contains("`" + name + "`")));
    }

    @Test
    void coreNeedsOnlyJavaAndTheLoggingFacade() {
        check(classes()
                .that(belongTo("delayjob-core"))
                .should()
                .onlyDependOnClassesThat(belongTo("delayjob-core")
                        .or(resideInAnyPackage(coreLibraries().toArray(String[]::new)))));
    }

    @Test
    void testSupportNeedsOnlyTheCoreJUnitAndAssertJ() {
        check(classes()
                .that(belongTo("delayjob-test"))
                .should()
                .onlyDependOnClassesThat(belongTo("delayjob-core")
                        .or(belongTo("delayjob-test"))
                        .or(resideInAnyPackage(
                                "java..", "org.slf4j..", "org.jspecify..", "org.junit.jupiter..", "org.assertj.."))));
    }

    @Test
    void noPackageSpansTwoJars() {
        Map<String, Set<String>> jarsByPackage = MAIN_CODE.stream()
                .collect(groupingBy(
                        JavaClass::getPackageName, mapping(ArchitectureTest::module, toCollection(TreeSet::new))));
        assertThat(jarsByPackage)
                .allSatisfy((name, jars) ->
                        assertThat(jars).as("jars with package %s", name).hasSize(1));
    }

    @Test
    void everyPackageIsNullMarked() {
        check(classes()
                .should(be(describe(
                        "in a package that its package-info declares @NullMarked",
                        type -> type.getPackage().isAnnotatedWith(NullMarked.class)))));
    }

    @Test
    void onlyTheEngineClockReadsAClock() {
        check(noClasses()
                .that(not(implementing(ROOT + ".time", ROOT + ".time.EngineClock"))
                        .and(not(WIRING_OF_THE_CLIENT)))
                .should()
                .accessTargetWhere(calls("a clock", ArchitectureTest::readsAClock)));
    }

    @Test
    void onlyThreadFactoriesOfTheEngineMakeThreads() {
        check(noClasses()
                .that(not(implementing(ROOT + ".internal.agent", ThreadFactory.class.getName())))
                // The contract that every store passes races threads of its own.
                .and()
                .resideOutsideOfPackage(corePackage("test"))
                // A connection must not be opened by a thread of its client, which may wait for this thread at its end.
                .and()
                .doNotHaveFullyQualifiedName(ROOT + ".redis.RedisConnections")
                .should()
                .accessTargetWhere(calls("something that makes threads", ArchitectureTest::makesThreads)));
    }

    @Test
    void nothingSleeps() {
        check(noClasses()
                .should()
                .accessTargetWhere(calls(
                        "sleep",
                        target -> target.getName().equals("sleep")
                                && (owned(target, Thread.class) || owned(target, TimeUnit.class)))));
    }

    @Test
    void randomnessIsHandedIn() {
        check(noClasses()
                .that(not(resideInAPackage(corePackage("internal.engine"))).and(not(WIRING_OF_THE_CLIENT)))
                .should()
                .accessTargetWhere(calls("a source of randomness", ArchitectureTest::drawsRandomness)));
    }

    @Test
    void nothingUsesJavaSerialization() {
        check(noClasses()
                .should()
                .dependOnClassesThat(assignableTo(ObjectInputStream.class).or(assignableTo(ObjectOutputStream.class))));
    }

    private static boolean readsAClock(CodeUnitAccessTarget target) {
        String owner = target.getOwner().getName();
        String name = target.getName();
        return owned(target, System.class) && (name.equals("nanoTime") || name.equals("currentTimeMillis"))
                || owner.startsWith("java.time.") && name.equals("now")
                || owned(target, Clock.class) && (name.startsWith("system") || name.startsWith("tick"))
                || owned(target, InstantSource.class) && name.equals("system")
                || owned(target, Date.class)
                        && constructs(target)
                        && takes(target).isEmpty()
                || owned(target, Calendar.class) && name.equals("getInstance")
                || owner.equals("net.javacrumbs.shedlock.core.ClockProvider");
    }

    private static boolean makesThreads(CodeUnitAccessTarget target) {
        JavaClass owner = target.getOwner();
        String name = target.getName();
        boolean constructor = constructs(target);
        boolean handedIn = takes(target).stream()
                .anyMatch(type -> type.isAssignableTo(Executor.class) || type.isAssignableTo(ThreadFactory.class));
        return constructor && (owner.isAssignableTo(Thread.class) || owner.isAssignableTo(Timer.class))
                || owned(target, Thread.class) && (name.startsWith("of") || name.equals("startVirtualThread"))
                || owned(target, Executors.class)
                || owned(target, ForkJoinPool.class)
                || constructor && owner.isAssignableTo(ExecutorService.class) && !handedIn
                || constructor && owner.getName().matches("org\\.springframework\\..*Task(Executor|Scheduler)")
                || owned(target, CompletableFuture.class)
                        && !handedIn
                        && (name.endsWith("Async") || name.endsWith("Timeout") || name.equals("delayedExecutor"))
                || name.equals("parallelStream")
                || owner.getPackageName().equals("java.util.stream") && name.equals("parallel");
    }

    private static boolean drawsRandomness(CodeUnitAccessTarget target) {
        return owned(target, ThreadLocalRandom.class)
                || owned(target, UUID.class) && target.getName().equals("randomUUID")
                || owned(target, Math.class) && target.getName().equals("random")
                || constructs(target)
                        && takes(target).isEmpty()
                        && (target.getOwner().isAssignableTo(Random.class) || owned(target, SplittableRandom.class));
    }

    private static boolean owned(CodeUnitAccessTarget target, Class<?> owner) {
        return target.getOwner().isEquivalentTo(owner);
    }

    private static boolean constructs(CodeUnitAccessTarget target) {
        return target.getName().equals("<init>");
    }

    private static List<JavaClass> takes(CodeUnitAccessTarget target) {
        return target.getRawParameterTypes();
    }

    /** Calls and method references alike: {@code System::nanoTime} reads a clock as well. */
    private static DescribedPredicate<JavaAccess<?>> calls(
            String description, Predicate<? super CodeUnitAccessTarget> condition) {
        return describe(
                "the target is " + description,
                access -> access.getTarget() instanceof CodeUnitAccessTarget target && condition.test(target));
    }

    private static DescribedPredicate<JavaClass> implementing(String packageName, String type) {
        return resideInAPackage(packageName).and(assignableTo(type));
    }

    private static DescribedPredicate<JavaClass> belongTo(String module) {
        return describe("belong to " + module, type -> module(type).equals(module));
    }

    /** The module the class was read from; empty for classes of others. */
    private static String module(JavaClass type) {
        return type.getBaseComponentType()
                .getSource()
                .map(source -> MODULE.matcher(source.getUri().toString()))
                .filter(Matcher::matches)
                .map(match -> match.group(1))
                .orElse("");
    }

    private static SliceAssignment packages() {
        return new SliceAssignment() {
            @Override
            public SliceIdentifier getIdentifierOf(JavaClass type) {
                return type.getPackageName().startsWith(ROOT)
                        ? SliceIdentifier.of(type.getPackageName())
                        : SliceIdentifier.ignore();
            }

            @Override
            public String getDescription() {
                return "packages";
            }
        };
    }

    private static Stream<String> corePackages() {
        return CORE.keySet().stream().sorted();
    }

    private static String corePackage(String name) {
        return ROOT + "." + name;
    }

    private static Stream<String> coreLibraries() {
        return Stream.of("java..", "org.slf4j..", "org.jspecify..");
    }

    @SafeVarargs
    private static Stream<String> concat(Stream<String>... parts) {
        return Arrays.stream(parts).flatMap(part -> part);
    }

    private static void check(ArchRule rule) {
        rule.check(MAIN_CODE);
    }
}
