package io.delayjob.job;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Finds known names that are similar to a mistyped name. */
public final class AlikeNames {

    private AlikeNames() {}

    /** Returns the most similar names, ignoring case; the most similar name comes first. */
    public static List<String> of(String name, Collection<String> known, int limit) {
        return known.stream()
                .sorted(Comparator.comparingInt(other -> edits(folded(name), folded(other))))
                .limit(limit)
                .toList();
    }

    private static String folded(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    /** Returns the Levenshtein distance of two texts. */
    private static int edits(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
