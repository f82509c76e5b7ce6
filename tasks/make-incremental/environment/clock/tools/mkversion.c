/* Turns the text of VERSION into a header. Takes its time, as generators do. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    char text[100] = "";

    if (!fgets(text, sizeof text, stdin))
        return 1;
    text[strcspn(text, "\n")] = '\0';
    if (!*text) {
        fprintf(stderr, "mkversion: VERSION is empty\n");
        return 1;
    }
    printf("#ifndef VERSION_H\n#define VERSION_H\n");
    fflush(stdout);
    usleep(400000);
    printf("#define VERSION \"%s\"\n#endif\n", text);
    return 0;
}
