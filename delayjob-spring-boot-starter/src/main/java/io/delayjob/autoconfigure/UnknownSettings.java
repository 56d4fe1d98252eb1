package io.delayjob.autoconfigure;

import io.delayjob.job.AlikeNames;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Warns at start about properties below {@code delayjob} that nothing reads. Such a property probably contains a typing
 * error.
 */
final class UnknownSettings implements SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(UnknownSettings.class);
    private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("delayjob");
    private static final ConfigurationPropertyName QUEUES = ROOT.append("queues");

    /** Unknown keys of targets are left out, because {@link io.delayjob.target.ConfiguredTargets} refuses them. */
    private static final ConfigurationPropertyName TARGETS = ROOT.append("targets");

    private static final ConfigurationPropertyName STORES = ROOT.append("stores");
    private static final ConfigurationPropertyName TEST = ROOT.append("test");
    private static final List<String> OF_A_STORE = List.of(
            "store",
            "data-source",
            "transaction-manager",
            "connection-factory",
            "url",
            "username",
            "password",
            "driver-class-name");

    private static final String POOL_OF_A_STORE = "hikari";
    private static final List<String> OF_A_QUEUE = List.of("burst", "concurrency", "enabled", "rate");

    /**
     * This list is necessary, because some classes that define the keys cannot be loaded without optional dependencies.
     */
    static final List<String> KEYS = Stream.of(
                    "answers.insecure answers.previous-secret answers.secret answers.url attempts.mode claim-lead enabled",
                    "endpoint.operator-roles endpoint.roles endpoint.show-payloads heartbeat",
                    "history.cancelled history.failed history.finished instance-id interrupt-grace",
                    "jdbc.dialect jdbc.in-other-transaction jdbc.initialize-schema jdbc.platform jdbc.require-transaction jdbc.schema",
                    "jdbc.table-prefix lease.duration lease.provider liveness max-queues max-snooze partitions",
                    "payload.max-read-size payload.max-size preload.batch-size preload.window",
                    "redis.in-transaction redis.namespace redis.slots redis.wait-replicas",
                    "retry.delay retry.jitter retry.max-delay retry.max-retries retry.multiplier shutdown.await",
                    "statistics.retention store sweep.adopt-after sweep.grace sweep.interval timeout unreadable-payload-after",
                    "wheel.max-jobs wheel.tick worker.enabled")
            .flatMap(line -> Stream.of(line.split(" ")))
            .map(key -> "delayjob." + key)
            .toList();

    private static final Set<ConfigurationPropertyName> NAMES =
            KEYS.stream().map(ConfigurationPropertyName::of).collect(Collectors.toUnmodifiableSet());

    /** In an environment variable, underscores separate parts of a key, and also words. */
    private static final Set<String> LETTERS =
            NAMES.stream().map(UnknownSettings::letters).collect(Collectors.toUnmodifiableSet());

    private final Environment environment;
    private final ListableBeanFactory beans;

    UnknownSettings(Environment environment, ListableBeanFactory beans) {
        this.environment = environment;
        this.beans = beans;
    }

    @Override
    public void afterSingletonsInstantiated() {
        List<ConfigurationPropertyName> foreign = foreignPrefixes();
        Set<ConfigurationPropertyName> named = new HashSet<>();
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource names) {
                boolean variables = source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource;
                names.stream()
                        .filter(ROOT::isAncestorOf)
                        .filter(name -> !isKnown(name, variables))
                        .filter(name ->
                                foreign.stream().noneMatch(prefix -> prefix.equals(name) || prefix.isAncestorOf(name)))
                        .filter(named::add)
                        .forEach(UnknownSettings::warn);
            }
        }
    }

    private List<ConfigurationPropertyName> foreignPrefixes() {
        return Stream.concat(
                        Stream.of(TEST),
                        Stream.of(beans.getBeanNamesForAnnotation(ConfigurationProperties.class))
                                .map(bean -> beans.findAnnotationOnBean(bean, ConfigurationProperties.class))
                                .filter(Objects::nonNull)
                                .map(properties -> ConfigurationPropertyName.adapt(properties.prefix(), '.'))
                                .filter(ROOT::isAncestorOf)
                                .filter(prefix -> NAMES.stream().noneMatch(prefix::isAncestorOf)))
                .toList();
    }

    private static boolean isKnown(ConfigurationPropertyName property, boolean variable) {
        ConfigurationPropertyName name =
                property.isLastElementIndexed() && property.isNumericIndex(property.getNumberOfElements() - 1)
                        ? property.getParent()
                        : property;
        return NAMES.contains(name)
                || TARGETS.isAncestorOf(name)
                || (STORES.isAncestorOf(name) && (variable || isKnownOfStore(name)))
                || (variable && LETTERS.contains(letters(name)))
                || (QUEUES.isAncestorOf(name)
                        && name.getNumberOfElements() == 4
                        && OF_A_QUEUE.contains(name.getLastElement(Form.UNIFORM)));
    }

    private static boolean isKnownOfStore(ConfigurationPropertyName property) {
        if (property.getNumberOfElements() < 4) {
            return false;
        }
        String first = property.getElement(3, Form.DASHED);
        ConfigurationPropertyName ofAll = ROOT.append(property.subName(3));
        return first.equals(POOL_OF_A_STORE)
                || (property.getNumberOfElements() == 4 && OF_A_STORE.contains(first))
                || (!STORES.isAncestorOf(ofAll) && isKnown(ofAll, false));
    }

    private static String letters(ConfigurationPropertyName name) {
        return IntStream.range(0, name.getNumberOfElements())
                .mapToObj(index -> name.getElement(index, Form.UNIFORM))
                .collect(Collectors.joining());
    }

    private static void warn(ConfigurationPropertyName name) {
        List<String> known = new ArrayList<>(KEYS);
        if (STORES.isAncestorOf(name) && name.getNumberOfElements() > 3) {
            String store = name.chop(3).toString();
            KEYS.forEach(key -> known.add(key.replaceFirst("delayjob", store)));
            OF_A_STORE.forEach(key -> known.add(store + "." + key));
        }
        String queue = QUEUES.isAncestorOf(name) ? name.getElement(2, Form.ORIGINAL) : "<name>";
        OF_A_QUEUE.forEach(key -> known.add("delayjob.queues." + queue + "." + key));
        log.warn(
                "Unknown property {} is ignored. The most similar known property is {}. Correct or remove "
                        + "the unknown property.",
                name,
                AlikeNames.of(name.toString(), known, 1).get(0));
    }
}
