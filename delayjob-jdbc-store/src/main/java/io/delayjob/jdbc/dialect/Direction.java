package io.delayjob.jdbc.dialect;

/** In which direction a look goes along its index. */
public enum Direction {
    ASCENDING(">", ""),
    DESCENDING("<", " DESC");

    private final String behind;
    private final String suffix;

    Direction(String behind, String suffix) {
        this.behind = behind;
        this.suffix = suffix;
    }

    /** The statement with this direction in place of <code>{behind}</code>, <code>{at}</code> and <code>{way}</code>. */
    String of(String statement) {
        return statement
                .replace("{behind}", behind)
                .replace("{at}", behind + "=")
                .replace("{way}", suffix);
    }
}
