package io.delayjob.jdbc;

import java.util.Map;
import java.util.UUID;

/**
 * Writes batches and lists as JSON. An id becomes 32 hexadecimal digits, a boolean becomes 1 or 0, and a missing value
 * is left out.
 */
final class JsonText {

    private static final char FIRST_PRINTABLE = ' ';

    private JsonText() {}

    static String rows(Map<String, Column> columns) {
        int rows = columns.values().iterator().next().values().length;
        StringBuilder json = new StringBuilder("[");
        for (int row = 0; row < rows; row++) {
            json.append(row == 0 ? "{" : ",{");
            boolean first = true;
            for (Map.Entry<String, Column> column : columns.entrySet()) {
                Object value = column.getValue().values()[row];
                if (value != null) {
                    json.append(first ? "" : ",");
                    append(json, column.getKey());
                    json.append(':');
                    append(json, value);
                    first = false;
                }
            }
            json.append('}');
        }
        return json.append(']').toString();
    }

    static String array(Column list) {
        StringBuilder json = new StringBuilder("[");
        for (Object value : list.values()) {
            if (value != null) {
                json.append(json.length() == 1 ? "" : ",");
                append(json, value);
            }
        }
        return json.append(']').toString();
    }

    private static void append(StringBuilder json, Object value) {
        if (value instanceof Number number) {
            json.append(number);
        } else if (value instanceof Boolean truth) {
            json.append(truth ? 1 : 0);
        } else if (value instanceof UUID id) {
            appendText(json, id.toString().replace("-", ""));
        } else {
            appendText(json, value.toString());
        }
    }

    private static void appendText(StringBuilder json, String text) {
        json.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < FIRST_PRINTABLE) {
                json.append("\\u00").append(c < 0x10 ? "0" : "").append(Integer.toHexString(c));
            } else {
                json.append(c);
            }
        }
        json.append('"');
    }
}
