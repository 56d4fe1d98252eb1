package io.delayjob.target;

import io.delayjob.job.AlikeNames;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Reads the properties below {@code delayjob.targets}. Refuses unknown properties. Otherwise, a misspelled property
 * could leave calls unprotected.
 */
public final class ConfiguredTargets {

    private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("delayjob.targets");
    private static final List<String> RULES = keys(TargetProperties.Rules.class);
    private static final List<String> RETRY = keys(TargetProperties.Retry.class);

    private final Environment environment;

    /** @param environment the application's configuration */
    public ConfiguredTargets(Environment environment) {
        this.environment = environment;
    }

    /**
     * An environment variable may spell the name of a target without dashes and in upper case. If another property
     * source contains the same target, the spelling there is used.
     */
    List<Entry> entries() {
        Map<ConfigurationPropertyName, ConfigurationPropertyName> names = new LinkedHashMap<>();
        Set<ConfigurationPropertyName> ofVariables = new LinkedHashSet<>();
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource iterable) {
                boolean ofVariable = source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource;
                iterable.stream()
                        .filter(ROOT::isAncestorOf)
                        .map(key -> key.chop(ROOT.getNumberOfElements() + 1))
                        .forEach(name -> {
                            if (ofVariable) {
                                ofVariables.add(name);
                            } else {
                                names.merge(name, name, ConfiguredTargets::refuseTwoSpellings);
                            }
                        });
            }
        }
        ofVariables.forEach(name -> names.putIfAbsent(name, name));
        return names.values().stream().map(Entry::new).toList();
    }

    /**
     * Refuses two spellings of the name of a target. Otherwise, there would be two targets, and each of them would also
     * get the properties of the other.
     */
    private static ConfigurationPropertyName refuseTwoSpellings(
            ConfigurationPropertyName one, ConfigurationPropertyName other) {
        String first = one.getLastElement(Form.ORIGINAL);
        String second = other.getLastElement(Form.ORIGINAL);
        if (!first.equals(second)) {
            throw new InvalidTargetException(
                    "Targets '%s' and '%s' differ only in dashes or capitals, so their properties cannot be told apart."
                            .formatted(first, second),
                    "Give one of them another name, or write both names in the same way.");
        }
        return one;
    }

    private static List<String> keys(Class<?> group) {
        return group.isRecord()
                ? Arrays.stream(group.getRecordComponents())
                        .map(component -> DataObjectPropertyName.toDashedForm(component.getName()))
                        .toList()
                : List.of();
    }

    final class Entry {

        private final ConfigurationPropertyName base;

        private Entry(ConfigurationPropertyName base) {
            this.base = base;
        }

        String name() {
            return base.getLastElement(Form.ORIGINAL);
        }

        boolean has(TargetKind<?> kind) {
            ConfigurationPropertyName group = base.append(kind.name());
            for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
                if (source.containsDescendantOf(group) == ConfigurationPropertyState.PRESENT) {
                    return true;
                }
            }
            return false;
        }

        List<String> keys(Collection<TargetKind<?>> kinds) {
            return kinds.stream()
                    .map(kind -> base.append(kind.name()).toString())
                    .sorted()
                    .toList();
        }

        void checkKeys(Collection<TargetKind<?>> kinds) {
            List<String> known = new ArrayList<>(RULES);
            known.remove("retry");
            RETRY.forEach(key -> known.add("retry." + key));
            Set<String> groups = new TreeSet<>();
            kinds.forEach(kind -> groups.add(kind.name()));
            for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
                if (source instanceof IterableConfigurationPropertySource iterable
                        && new UnboundElementsSourceFilter().apply(source)) {
                    iterable.stream()
                            .filter(base::isAncestorOf)
                            .filter(key -> !groups.contains(key.getElement(base.getNumberOfElements(), Form.DASHED)))
                            .filter(key -> known.stream().noneMatch(rule -> key.equals(base.append(rule))))
                            .findFirst()
                            .ifPresent(key -> {
                                throw unknown(
                                        key,
                                        Stream.concat(known.stream(), groups.stream())
                                                .toList());
                            });
                }
            }
        }

        <P> P bind(TargetKind<P> kind) {
            try {
                return Binder.get(environment)
                        .bindOrCreate(
                                base.append(kind.name()),
                                Bindable.of(kind.properties()),
                                new NoUnboundElementsBindHandler(
                                        BindHandler.DEFAULT, new UnboundElementsSourceFilter()));
            } catch (BindException refused) {
                if (refused.getCause() instanceof UnboundConfigurationPropertiesException unbound) {
                    // Spring Boot's own message would show the value, which may be a secret.
                    ConfigurationProperty first =
                            unbound.getUnboundProperties().iterator().next();
                    throw unknown(
                            first.getName(),
                            ConfiguredTargets.keys(kind.properties()).stream()
                                    .map(key -> kind.name() + "." + key)
                                    .toList());
                }
                throw refused;
            }
        }

        private InvalidTargetException unknown(ConfigurationPropertyName key, List<String> known) {
            String stated = key.toString().substring(base.toString().length() + 1);
            String similar = AlikeNames.of(stated, known, 1).get(0);
            return new InvalidTargetException(
                    "Target '%s' has an unknown property: %s.".formatted(name(), key),
                    "Correct or remove the property. The most similar key is %s.%s; a group such as http or kafka needs the module of that kind."
                            .formatted(base, similar));
        }
    }
}
