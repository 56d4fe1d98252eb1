package io.delayjob.autoconfigure;

import java.util.Arrays;
import java.util.List;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;

/** Finds beans by the names in the properties of a named store. */
final class StoreBeans {

    private StoreBeans() {}

    static <T> T find(ListableBeanFactory beans, NamedStore store, String property, String name, Class<T> type) {
        try {
            return beans.getBean(name, type);
        } catch (NoSuchBeanDefinitionException | BeanNotOfRequiredTypeException missing) {
            // With a cause, Spring Boot would explain the missing bean instead of the property.
            List<String> present = Arrays.stream(beans.getBeanNamesForType(type))
                    .filter(bean -> !bean.startsWith(StoreDatabasesRegistrar.PREFIX))
                    .toList();
            throw new InvalidSettingException(
                    store.key(property),
                    "Invalid %s '%s': must be the name of a bean of type %s; the application has %s."
                            .formatted(store.key(property), name, type.getSimpleName(), present));
        }
    }
}
