package io.delayjob.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GeneratedFiles;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.javapoet.ClassName;

/** The beans of named stores are part of the code that is generated for a native image. */
class NamedStoresAheadOfTimeTest {

    @Test
    void beansOfStores_areGenerated() throws Exception {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        TestPropertyValues.of(
                        "spring.datasource.generate-unique-name=true",
                        "spring.main.web-application-type=none",
                        "delayjob.stores.eu.url=jdbc:h2:mem:ahead-of-time",
                        "delayjob.stores.fast.url=redis://localhost:6379")
                .applyTo(context);
        context.register(Application.class);
        InMemoryGeneratedFiles files = new InMemoryGeneratedFiles();
        DefaultGenerationContext generation =
                new DefaultGenerationContext(new ClassNameGenerator(ClassName.get(Application.class)), files);

        new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
        generation.writeGeneratedContent();

        StringBuilder code = new StringBuilder();
        for (String path : files.getGeneratedFiles(GeneratedFiles.Kind.SOURCE).keySet()) {
            code.append(files.getGeneratedFileContent(GeneratedFiles.Kind.SOURCE, path));
        }
        assertThat(code)
                .contains("delayJobStore.eu.dataSource")
                .contains("delayJobStore.eu.transactionManager")
                .contains("delayJobStore.fast.connectionFactory")
                .contains("setDefaultCandidate(false)");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}
}
