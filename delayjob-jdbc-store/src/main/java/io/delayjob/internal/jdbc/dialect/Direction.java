package io.delayjob.internal.jdbc.dialect;

/** Direction in which an index is read. */
public enum Direction {
    ASCENDING(">", ""),
    DESCENDING("<", " DESC");

    private final String behind;
    private final String suffix;

    Direction(String behind, String suffix) {
        this.behind = behind;
        this.suffix = suffix;
    }

    String of(String statement) {
        return statement
                .replace("{behind}", behind)
                .replace("{at}", behind + "=")
                .replace("{way}", suffix);
    }
}
