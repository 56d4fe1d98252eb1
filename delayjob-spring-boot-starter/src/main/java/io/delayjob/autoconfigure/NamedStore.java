package io.delayjob.autoconfigure;

import io.delayjob.job.Printable;
import io.delayjob.spring.DelayJobStores;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.Environment;

/**
 * The configuration of one store in {@code delayjob.stores}, which extends the common configuration in {@code
 * delayjob}.
 */
final class NamedStore {

    private static final String PREFIX = DelayJobStores.PROPERTY;
    private static final String COMMON = "delayjob";
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,31}");
    private static final String JDBC = "jdbc";
    private static final String REDIS = "redis";
    private static final String MEMORY = "memory";

    private final String name;
    private final Environment environment;
    private final Binder own;
    private final Binder layered;
    private final StoreProperties.Place place;

    private NamedStore(String name, Environment environment) {
        this.name = name;
        this.environment = environment;
        List<ConfigurationPropertySource> ownSources = sources(environment, PREFIX + "." + name);
        List<ConfigurationPropertySource> allSources = new ArrayList<>(ownSources);
        allSources.addAll(sources(environment, COMMON));
        PropertySourcesPlaceholdersResolver placeholders = new PropertySourcesPlaceholdersResolver(environment);
        this.own = new Binder(ownSources, placeholders);
        this.layered = new Binder(allSources, placeholders);
        this.place = own.bindOrCreate("", StoreProperties.Place.class);
    }

    private static List<ConfigurationPropertySource> sources(Environment environment, String prefix) {
        List<ConfigurationPropertySource> sources = new ArrayList<>();
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            sources.add(source.withPrefix(prefix));
        }
        return sources;
    }

    private static SortedSet<String> names(Environment environment) {
        Map<String, Object> stores = Binder.get(environment)
                .bind(PREFIX, Bindable.mapOf(String.class, Object.class))
                .orElseGet(Map::of);
        return new TreeSet<>(stores.keySet());
    }

    static List<NamedStore> all(Environment environment) {
        SortedSet<String> names = names(environment);
        names.forEach(NamedStore::check);
        return names.stream().map(name -> new NamedStore(name, environment)).toList();
    }

    private static void check(String name) {
        if (name.equals(DelayJobStores.DEFAULT)) {
            throw new InvalidSettingException(
                    PREFIX + "." + name,
                    "Invalid store name '%s': it is the name of the store that delayjob.* describes. Move the properties of %s.%s to delayjob, or choose another name."
                            .formatted(name, PREFIX, name));
        }
        if (!NAME.matcher(name).matches()) {
            throw new InvalidSettingException(
                    PREFIX + "." + name,
                    "Invalid store name '%s': must be 1 to 32 lower-case letters, digits and hyphens, and begin with a letter."
                            .formatted(Printable.of(name)));
        }
    }

    String name() {
        return name;
    }

    StoreProperties.Place place() {
        return place;
    }

    String key(String property) {
        return PREFIX + "." + name + "." + property;
    }

    String note() {
        return "The properties %s* describe store '%s'.".formatted(key(""), name);
    }

    /** The empty group contains the properties directly below {@code delayjob}. */
    <T> T properties(String group, Class<T> type) {
        return layered.bindOrCreate(group, type);
    }

    <T> void bindOwn(String group, T target) {
        own.bind(group, Bindable.ofInstance(target));
    }

    @Nullable
    String value(String property) {
        return layered.bind(property, String.class).orElse(null);
    }

    boolean isJdbc() {
        return kind().equals(JDBC);
    }

    boolean isRedis() {
        return kind().equals(REDIS);
    }

    boolean hasOwnDataSource() {
        return isJdbc() && place.url() != null;
    }

    private String kind() {
        String stated = place.store() == null ? kindOfPlace() : place.store().toLowerCase(Locale.ROOT);
        if (!List.of(JDBC, REDIS, MEMORY).contains(stated)) {
            throw new InvalidSettingException(
                    key("store"),
                    "Invalid %s '%s': must be %s, %s or %s."
                            .formatted(key("store"), Printable.of(stated), JDBC, REDIS, MEMORY));
        }
        return stated;
    }

    private String kindOfPlace() {
        String url = place.url();
        if (place.dataSource() != null || url != null && url.startsWith("jdbc:")) {
            return JDBC;
        }
        if (place.connectionFactory() != null || url != null && url.startsWith(REDIS)) {
            return REDIS;
        }
        return environment.getProperty("delayjob.store", JDBC).toLowerCase(Locale.ROOT);
    }
}
