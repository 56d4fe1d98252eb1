package io.delayjob.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A statement with named parameters, taken apart once. Names begin with a colon: <code>WHERE id = :id</code>.
 *
 * @param text the statement as JDBC reads it, a question mark for each parameter
 * @param names the parameters' names in the order of the question marks
 */
record Sql(String text, List<String> names) {

    private static final Pattern PARAMETER = Pattern.compile(":([a-z][A-Za-z]*)");

    Sql {
        names = List.copyOf(names);
    }

    static Sql parse(String statement) {
        List<String> names = new ArrayList<>();
        Matcher parameters = PARAMETER.matcher(statement);
        StringBuilder text = new StringBuilder(statement.length());
        while (parameters.find()) {
            names.add(parameters.group(1));
            parameters.appendReplacement(text, "?");
        }
        parameters.appendTail(text);
        return new Sql(text.toString(), names);
    }
}
