package io.delayjob.job;

/** Writes a value of {@link JobExtras} on one line, and reads it back. */
final class ExtraText {

    private ExtraText() {}

    static String escaped(String value) {
        return value.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
    }

    static String unescaped(String value) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c != '\\' || i + 1 == value.length()) {
                text.append(c);
                continue;
            }
            i++;
            char code = value.charAt(i);
            text.append(code == 'n' ? '\n' : code == 'r' ? '\r' : code);
        }
        return text.toString();
    }
}
