package io.delayjob.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A parsed statement with named parameters: <code>WHERE id = :id</code>.
 *
 * @param text the statement with a question mark for each parameter
 * @param names the names in the order of the question marks
 * @param plannedAnew whether the database makes a new plan for each execution of the statement
 */
record Sql(String text, List<String> names, Binding binding, boolean plannedAnew) {

    private static final Pattern PARAMETER = Pattern.compile(":([a-z][A-Za-z]*)");

    Sql {
        names = List.copyOf(names);
    }

    static Sql parse(String statement, Binding binding) {
        List<String> names = new ArrayList<>();
        Matcher parameters = PARAMETER.matcher(statement);
        StringBuilder text = new StringBuilder(statement.length());
        while (parameters.find()) {
            names.add(parameters.group(1));
            parameters.appendReplacement(text, "?");
        }
        parameters.appendTail(text);
        return new Sql(text.toString(), names, binding, false);
    }

    Sql planningAnew() {
        return new Sql(text, names, binding, true);
    }

    void bind(PreparedStatement statement, Parameters parameters) throws SQLException {
        for (int i = 0; i < names.size(); i++) {
            binding.bind(statement, i + 1, parameters.value(names.get(i)));
        }
    }
}
